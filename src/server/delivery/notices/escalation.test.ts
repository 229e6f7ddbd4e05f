import PostalMime from 'postal-mime';
import { expect, onTestFinished, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { claimEscalations, referencesOf } from '../../../../test/support/jobs.ts';
import { collectLog } from '../../../../test/support/log.ts';
import {
  addresses,
  createClock,
  type SubmissionChanges,
  storeSubmission,
} from '../../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import type { BotVerdict } from '../../../model/bot-verdict.ts';
import { claimMail, parkMail } from '../../store/contract/mail-jobs.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { WrittenMail } from '../mail.ts';
import type { SendOutcome } from '../mail-transport.ts';
import { createEscalation } from './escalation.ts';

const to = ['manager@trust.example', 'chair@trust.example'];
const late = 10 * 60_000;
const deferred = { ok: false, permanent: false, reason: 'SMTP 421 at CONN' } as const;

/** A mail that could not be sent is tried again after this. */
const lease = 2 * 60_000;

async function prepare(recipients = to) {
  const store = await openSqliteStore(temporaryFolder());
  onTestFinished(() => store.close());
  const clock = createClock();
  const { log, lines } = collectLog();
  const sent: WrittenMail[] = [];
  const mailServer = { outcome: { ok: true } as SendOutcome | 'killed', asked: 0 };
  const damage = { isDone: false };
  const escalate = createEscalation({
    queue: {
      ...store,
      async findSubmissions(references) {
        const found = await store.findSubmissions(references);
        return damage.isDone ? found.map((one) => ({ ...one, receivedAt: new Date(Number.NaN) })) : found;
      },
    },
    transport: {
      description: 'a test',
      async send(mail) {
        const { outcome } = mailServer;
        mailServer.asked++;
        // As far as others can tell: nothing comes back to a server that was killed.
        if (outcome === 'killed') return new Promise(() => {});
        if (outcome.ok) sent.push(mail);
        return outcome;
      },
    },
    site: () => shippedContent.site,
    addresses,
    to: recipients,
    now: clock.now,
    log,
  });
  const keep = (changes: Partial<SubmissionChanges> = {}) =>
    storeSubmission(store, { receivedAt: clock.now(), urgent: true, ...changes });
  const read = async (index: number) => PostalMime.parse(sent[index]?.raw ?? '');
  return { store, clock, sent, mailServer, damage, escalate, keep, read, lines };
}

test('all late requests come in one mail, with their references and none of their answers', async () => {
  const { clock, sent, escalate, keep } = await prepare();
  const first = await keep({ answers: { Subject: 'kept secret' } });
  const second = await keep();
  await escalate();
  expect(sent).toEqual([]);
  clock.advance(late);
  await escalate();
  await escalate();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.envelope.to).toEqual(to);
  const { subject, text, html, headers } = await PostalMime.parse(sent[0]?.raw ?? '');
  expect(headers.find(({ key }) => key === 'importance')?.value).toBe('high');
  expect(subject).toBe('URGENT [Website] 2 urgent requests have not reached your team');
  for (const part of [text, html]) {
    expect(part).toContain(first);
    expect(part).toContain(second);
    expect(part).not.toMatch(/kept secret|Hōne|visitor\.example/);
  }
});

test('a person who must not be contacted is named as such, and nobody else', async () => {
  const { clock, sent, escalate, keep } = await prepare();
  const refused = await keep({
    answers: { SafeContact: ["Please don't contact me, I will contact you"] },
  });
  const other = await keep({ answers: { SafeContact: ['Phone call'] } });
  clock.advance(late);
  await escalate();
  const { text } = await PostalMime.parse(sent[0]?.raw ?? '');
  expect(text).toContain(`DO NOT CONTACT THIS PERSON: ${refused}\n`);
  expect(text).toContain(`${refused}: DO NOT CONTACT THIS PERSON. `);
  expect(text).not.toContain(`${other}: DO NOT`);
});

test('a mail names fifty: first those that a person sent for certain, and the next one names the others', async () => {
  const { clock, sent, escalate, keep, read } = await prepare();
  const verdict: BotVerdict = { kind: 'many' };
  const flood = [];
  for (let count = 0; count < 60; count++) flood.push(await keep({ verdict, rank: count + 1 }));
  const [person, other] = [await keep({ rank: 70 }), await keep({ verdict })];
  clock.advance(late);
  await escalate();
  const { subject, text = '' } = await read(0);
  expect(subject).toContain('62 urgent requests');
  const named = (all: string) => all.match(/^[A-Z0-9]{4}-[A-Z0-9]{4}(?=:)/gm);
  expect(named(text)).toEqual([person, flood[0], other, ...flood.slice(1, 48)]);
  expect(text).toMatch(/^And more: +12$/m);
  clock.advance(late);
  await escalate();
  expect(named((await read(1)).text ?? '')).toEqual(flood.slice(48));
  clock.advance(late);
  await escalate();
  expect(sent).toHaveLength(2);
});

test('however many come in, there are six mails an hour', async () => {
  const { clock, sent, escalate, keep } = await prepare();
  const verdict: BotVerdict = { kind: 'no-script', doubts: ['trap'] };
  const mails: number[] = [];
  for (let minute = 0; minute < 130; minute++) {
    await keep({ verdict });
    await keep({ verdict });
    await escalate();
    mails.push(sent.splice(0).length);
    clock.advance(60_000);
  }
  const within = mails.map((_, from) => mails.slice(from, from + 60).reduce((sum, count) => sum + count, 0));
  expect(Math.max(...within)).toBe(6);
});

test('a server that is killed while it sends the mail leaves it to another', async () => {
  const { clock, sent, mailServer, escalate, keep } = await prepare();
  await keep();
  clock.advance(late);
  mailServer.outcome = 'killed';
  void escalate();
  await expect.poll(() => mailServer.asked).toBe(1);
  mailServer.outcome = { ok: true };
  clock.advance(lease);
  await escalate();
  expect(sent).toHaveLength(1);
  clock.advance(late);
  await escalate();
  expect(sent).toHaveLength(1);
});

test('what a mail server has accepted, or somebody has seen, is escalation not sent', async () => {
  const { store, clock, sent, escalate, keep, read } = await prepare();
  const [accepted, parked, seen] = [await keep(), await keep(), await keep()];
  for (const claim of await claimMail(store, clock.now(), 9, lease, 'new')) {
    if (claim.submission.reference === accepted) await store.finishDelivery(claim, clock.now());
    if (claim.submission.reference === parked) await parkMail(store, claim, clock.now(), 'SMTP 550');
  }
  await store.recordRead([seen], clock.now());
  clock.advance(late);
  await escalate();
  expect(sent).toHaveLength(1);
  const { text } = await read(0);
  expect(text).toMatch(new RegExp(`^${parked}: .*; SMTP 550$`, 'm'));
  for (const other of [accepted, seen]) expect(text).not.toContain(other);
});

type Prepared = Awaited<ReturnType<typeof prepare>>;
test.each<[string, (prepared: Prepared, isWrong: boolean) => unknown]>([
  ['sent', ({ mailServer }, isWrong) => (mailServer.outcome = isWrong ? deferred : { ok: true })],
  ['written, as with a time from a damaged database,', ({ damage }, isWrong) => (damage.isDone = isWrong)],
])('a mail that could not be %s is tried again', async (_what, setWrong) => {
  const prepared = await prepare();
  const { clock, sent, escalate, keep, lines } = prepared;
  await keep();
  clock.advance(late);
  setWrong(prepared, true);
  await escalate();
  expect(lines.join()).toContain('escalation not sent');
  setWrong(prepared, false);
  clock.advance(lease);
  await escalate();
  expect(sent).toHaveLength(1);
});

test('without MAIL_TO_ESCALATE nobody is told', async () => {
  const { store, clock, sent, escalate, keep } = await prepare([]);
  const reference = await keep();
  clock.advance(late);
  await escalate();
  expect(sent).toEqual([]);
  expect(referencesOf(await claimEscalations(store, clock.now()))).toEqual([reference]);
});
