import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { smtpTo, workerFor } from './support/delivery.ts';
import { openStore } from './support/each-store.ts';
import { collectLog } from './support/log.ts';
import {
  type Act,
  impatient,
  type ScriptedSmtp,
  type Step,
  type startScriptedSmtp,
  startSmtp,
} from './support/scripted-smtp.ts';
import { addresses, createClock, storeSubmission } from './support/stored-submissions.ts';
import { testCertificate } from './support/test-certificate.ts';

/** Longer than the longest wait between two attempts. */
const longMs = 16 * 60_000;
const secret = 'kept secret from the logs';

async function prepare(options: Parameters<typeof startScriptedSmtp>[0] = {}) {
  const smtp = await startSmtp(options);
  const store = await openStore();
  const clock = createClock();
  const { log, lines } = collectLog();
  const reference = await storeSubmission(store, { receivedAt: clock.now(), answers: { Subject: secret } });
  const state = async () => {
    const delivery = (await store.findSubmission(reference))?.delivery;
    const { deliveredAt = null, parkedAt = null, lastError = null } = delivery ?? {};
    return { delivered: deliveredAt !== null, parked: parkedAt !== null, lastError };
  };
  const worker = (transport = smtpTo(smtp.port), to = addresses) =>
    workerFor(store, transport, clock.now, {}, log, to);
  return { smtp, store, clock, reference, state, worker, lines };
}

const waiting = (lastError: string) => ({ delivered: false, parked: false, lastError });
const parked = (lastError: string) => ({ delivered: false, parked: true, lastError });
const delivered = { delivered: true, parked: false, lastError: null };

async function expectOneMail(smtp: ScriptedSmtp, reference: string): Promise<void> {
  expect(smtp.accepted).toHaveLength(1);
  const mail = await PostalMime.parse(smtp.accepted[0]?.raw ?? '');
  expect(mail.messageId).toBe(`<${reference}@trust.example>`);
  expect(smtp.accepted[0]).toMatchObject({ from: 'website@trust.example', to: ['help@trust.example'] });
}

const passing: [Step, Act, string][] = [
  ['GREETING', 'silent', 'ETIMEDOUT at CONN'],
  ['GREETING', 'drop', 'ECONNECTION at CONN'],
  ['GREETING', 'dribble', 'ETIMEDOUT at CONN'],
  ['GREETING', '421 busy', 'SMTP 421 at CONN'],
  ['GREETING', '554 no service here', 'SMTP 554 at CONN'],
  ['EHLO', 'silent', 'ETIMEDOUT at CONN'],
  ['EHLO', 'dribble', 'ETIMEDOUT at SESSION'],
  ['EHLO', '421 busy', 'SMTP 421 at EHLO'],
  ['MAIL', 'silent', 'ETIMEDOUT at CONN'],
  ['MAIL', 'dribble', 'ETIMEDOUT at SESSION'],
  ['MAIL', '450 later', 'SMTP 450 at MAIL FROM'],
  ['MAIL', '451 4.3.0 later', 'SMTP 451 4.3.0 at MAIL FROM'],
  ['MAIL', '530 5.7.0 log in first', 'SMTP 530 5.7.0 at MAIL FROM'],
  ['RCPT', '421 busy', 'SMTP 421 at RCPT TO'],
  ['RCPT', '450 4.2.0 greylisted', 'SMTP 450 4.2.0 at RCPT TO'],
  ['RCPT', '451 later', 'SMTP 451 at RCPT TO'],
  ['RCPT', '552 5.2.2 mailbox full', 'SMTP 552 5.2.2 at RCPT TO'],
  ['RCPT', '552 mailbox full', 'SMTP 552 at RCPT TO'],
  ['RCPT', '550 5.4.5 daily quota', 'SMTP 550 5.4.5 at RCPT TO'],
  ['RCPT', '554 5.3.2 not today', 'SMTP 554 5.3.2 at RCPT TO'],
  ['END', '552 5.2.2 mailbox full', 'SMTP 552 5.2.2 at DATA'],
  ['DATA', 'drop', 'ECONNECTION at CONN'],
  ['DATA', '450 later', 'SMTP 450 at DATA'],
  ['DATA', '451 later', 'SMTP 451 at DATA'],
  ['END', 'silent', 'ETIMEDOUT at CONN'],
  ['END', 'dribble', 'ETIMEDOUT at SESSION'],
  ['END', '421 busy', 'SMTP 421 at DATA'],
  ['END', '450 later', 'SMTP 450 at DATA'],
  ['END', '451 4.7.1 later', 'SMTP 451 4.7.1 at DATA'],
];

test.each(passing)(
  'a server that answers %s with %s is tried again until it takes the mail',
  async (step, act, reason) => {
    const { smtp, clock, reference, state, worker, lines } = await prepare();
    smtp.script[step] = act;
    await worker(smtpTo(smtp.port, { timeouts: impatient(step, act) })).sendDue();
    expect(await state()).toEqual(waiting(reason));
    smtp.script = {};
    const sending = worker();
    await sending.sendDue();
    expect(smtp.accepted).toHaveLength(0);
    clock.advance(longMs);
    await sending.sendDue();
    expect(await state()).toEqual(delivered);
    await expectOneMail(smtp, reference);
    expect(lines.join('')).not.toContain(secret);
  },
);

const final: [Step, string, string][] = [
  ['MAIL', '550 5.7.1 not you', 'SMTP 550 5.7.1 at MAIL FROM'],
  ['RCPT', '550 5.1.1 <help@trust.example> unknown', 'SMTP 550 5.1.1 at RCPT TO'],
  ['DATA', '554 no', 'SMTP 554 at DATA'],
  ['END', '552 too much about hone@visitor.example', 'SMTP 552 at DATA'],
];

test.each(final)(
  'a mail that is refused at %s with %s is parked at once, and not tried again',
  async (step, act, reason) => {
    const { smtp, clock, state, worker, lines } = await prepare();
    smtp.script[step] = act;
    const sending = worker();
    await sending.sendDue();
    expect(await state()).toEqual(parked(reason));
    smtp.script = {};
    clock.advance(longMs);
    await sending.sendDue();
    expect(smtp.accepted).toHaveLength(0);
    expect(lines.join('')).not.toMatch(/trust\.example|visitor\.example/);
  },
);

test('nobody listening is tried again', async () => {
  const { smtp, state, worker } = await prepare();
  await smtp.close();
  await worker().sendDue();
  expect(await state()).toEqual(waiting('ECONNREFUSED at CONN'));
});

test('a connection lost after the mail, before the answer, gives one copy more, with the same Message-ID', async () => {
  const { smtp, clock, state, worker } = await prepare();
  smtp.script.END = 'drop';
  const sending = worker();
  await sending.sendDue();
  expect(await state()).toEqual(waiting('ECONNECTION at CONN'));
  smtp.script = {};
  for (let n = 0; n < 3; n++) {
    clock.advance(longMs);
    await sending.sendDue();
  }
  expect(await state()).toEqual(delivered);
  expect(smtp.seen).toHaveLength(2);
  const ids = await Promise.all(smtp.seen.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId));
  expect(new Set(ids).size).toBe(1);
});

test('to a server elsewhere the mail goes encrypted or not at all', async () => {
  const { smtp, state, worker } = await prepare();
  const sending = worker(smtpTo(smtp.port, { isLocal: () => false }));
  await sending.sendDue();
  expect(await state()).toEqual(waiting('SMTP 502 at STARTTLS'));
  expect(smtp.plainText).not.toMatch(/MAIL FROM|AUTH/);
});

test.each([
  ['that cannot be checked', 'localhost', '', {}, 'DEPTH_ZERO_SELF_SIGNED_CERT at CONN'],
  ['for another name', '127.0.0.1', '', { ca: testCertificate.cert }, 'ERR_TLS_CERT_ALTNAME_INVALID at CONN'],
  [
    'that an option in SMTP_URL would accept',
    'localhost',
    '?tls.rejectUnauthorized=false&ignoreTLS=true&requireTLS=false',
    {},
    'DEPTH_ZERO_SELF_SIGNED_CERT at CONN',
  ],
])('a certificate %s ends it, and nothing follows in the clear', async (_what, host, query, more, reason) => {
  const { smtp, state, worker } = await prepare({ starttls: true });
  const url = `smtp://user:pass@${host}:${smtp.port}${query}`;
  await worker(smtpTo(smtp.port, { url, isLocal: () => false, ...more })).sendDue();
  expect(await state()).toEqual(waiting(reason));
  expect(smtp.seen).toHaveLength(0);
  expect(smtp.plainText).not.toMatch(/MAIL FROM|AUTH/);
});

test.each([
  ['smtp', { starttls: true }],
  ['smtps', { tls: true }],
])('with a good certificate %s delivers, encrypted', async (scheme, options) => {
  const { smtp, reference, state, worker } = await prepare(options);
  const url = `${scheme}://user:p%40ss@localhost:${smtp.port}`;
  await worker(smtpTo(smtp.port, { url, isLocal: () => false, ca: testCertificate.cert })).sendDue();
  expect(await state()).toEqual(delivered);
  await expectOneMail(smtp, reference);
  expect(smtp.accepted[0]?.encrypted).toBe(true);
  expect(smtp.plainText).not.toMatch(/MAIL FROM|AUTH/);
});

test('with a wrong password every request waits, and is sent once the password is right', async () => {
  const { smtp, clock, state, worker, lines } = await prepare();
  smtp.script.AUTH = '535 5.7.8 wrong password';
  const sending = worker(smtpTo(smtp.port, { url: `smtp://user:hunter2@127.0.0.1:${smtp.port}` }));
  await sending.sendDue();
  expect(await state()).toEqual(waiting('SMTP 535 5.7.8 at AUTH PLAIN'));
  expect(lines.join('')).not.toContain('hunter2');
  smtp.script = {};
  clock.advance(longMs);
  await sending.sendDue();
  expect(await state()).toEqual(delivered);
});

test('one of several addresses that is refused keeps the mail from nobody else, and is said in the log', async () => {
  const { smtp, state, worker, lines, ...rest } = await prepare();
  const help = ['help@trust.example', 'gone@trust.example'];
  const to = { ...addresses, to: { ...addresses.to, help } };
  smtp.script.RCPT = (mail) => (mail.to.includes('gone@trust.example') ? '550 no such user' : undefined);
  await worker(smtpTo(smtp.port), to).sendDue();
  expect(await state()).toEqual(delivered);
  await expectOneMail(smtp, rest.reference);
  expect(lines.join()).toMatch(/mail refused for some addresses.*"count":1/);
});
