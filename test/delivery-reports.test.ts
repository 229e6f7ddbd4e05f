import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { smtpTo, workerFor } from './support/delivery.ts';
import { openStore } from './support/each-store.ts';
import { serve } from './support/running-server.ts';
import { mailTo, startSmtp } from './support/scripted-smtp.ts';
import { createClock, storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';
import { hurried } from './support/wrong-clocks.ts';

/** What a mail server is asked to report, and to whom, where a mail that it accepted cannot be delivered. */

/** Delivers one request through a real mail server, and resolves to the envelope that it got. */
async function deliver({ offersReports, bouncesTo }: { offersReports: boolean; bouncesTo?: string }) {
  const envelopes: unknown[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    hideDSN: !offersReports,
    onData(stream, session, done) {
      envelopes.push(JSON.parse(JSON.stringify(session.envelope)));
      stream.resume();
      stream.on('end', () => done());
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as { port: number };
  const store = await openStore();
  const clock = createClock();
  const reference = await storeSubmission(store, { receivedAt: clock.now() });
  await workerFor(store, smtpTo(port, { bouncesTo }), clock.now).sendDue();
  expect(envelopes).toHaveLength(1);
  return { reference, envelope: envelopes[0] };
}

test('a mail server that offers reports is asked for failures alone, without the mail, by the reference', async () => {
  const { reference, envelope } = await deliver({ offersReports: true, bouncesTo: 'office@trust.example' });
  expect(envelope).toMatchObject({
    mailFrom: { address: 'office@trust.example' },
    dsn: { ret: 'HDRS', envid: reference },
    rcptTo: [{ address: 'help@trust.example', dsn: { notify: ['FAILURE'] } }],
  });
});

test('a mail server that offers none is asked for none', async () => {
  const { envelope } = await deliver({ offersReports: false });
  expect(envelope).toMatchObject({
    mailFrom: { address: 'website@trust.example', args: false },
    rcptTo: [{ address: 'help@trust.example', args: false }],
  });
  expect(JSON.stringify(envelope)).not.toMatch(/RET|ENVID|NOTIFY/);
});

test('the hourly check of the mail server asks whether MAIL_BOUNCES_TO may send', async () => {
  const smtp = await startSmtp();
  const settings = { ...mailTo(smtp.port), MAIL_BOUNCES_TO: 'office@trust.example' };
  await serve({ DATA_DIR: temporaryFolder(), ...settings, ...hurried });
  await expect.poll(() => smtp.heard).toContain('RSET');
  const asked = new Set(smtp.heard.filter((line) => line.startsWith('MAIL')));
  expect([...asked]).toEqual(['MAIL FROM:<office@trust.example>']);
});
