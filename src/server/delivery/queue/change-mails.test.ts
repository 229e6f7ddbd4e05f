import { expect, onTestFinished, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { collectLog } from '../../../../test/support/log.ts';
import { addresses, createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { createSeal, generateKeyPair } from '../../submissions/seal.ts';
import type { WrittenMail } from '../mail.ts';
import type { SendOutcome } from '../mail-transport.ts';
import { createSendChanges } from './change-mails.ts';

const escalateTo = ['others@trust.example', ...addresses.to.help];
const never = { ok: false, permanent: true, reason: 'SMTP 550 at DATA' } as const;
const later = { ok: false, permanent: false, reason: 'SMTP 451 at DATA' } as const;

async function prepare(urgent = true) {
  const store = await openSqliteStore(temporaryFolder());
  onTestFinished(() => store.close());
  const clock = createClock();
  const { log, lines } = collectLog();
  const sent: { name: string; to: string[]; text: string }[] = [];
  const outcome: { next: SendOutcome } = { next: { ok: true } };
  const refused: string[] = [];
  const parts = {
    transport: {
      description: 'a test',
      async send({ name, envelope, raw }: WrittenMail) {
        sent.push({ name, to: envelope.to, text: raw.toString('latin1') });
        return envelope.to.some((one) => refused.includes(one)) ? later : outcome.next;
      },
    },
    ...{ site: () => shippedContent.site, addresses, now: clock.now, log, escalateTo },
    staffLink: (reference: string) => `https://trust.example/staff/${reference}/team`,
    othersLink: (reference: string) => `https://trust.example/staff/${reference}/others`,
  };
  const sendChanges = createSendChanges({ ...parts, queue: store, rewriteFile: undefined });
  const reference = await storeSubmission(store, { receivedAt: clock.now(), urgent });
  return { store, clock, lines, sent, outcome, refused, parts, sendChanges, reference };
}

test('others hear of an urgent request that was withdrawn before anybody took it, by a link of their own', async () => {
  const { store, clock, sent, sendChanges, reference } = await prepare();
  await store.recordStep(reference, 'withdrawn', 'AB', clock.now());
  await sendChanges();
  expect(sent.map(({ to }) => to)).toEqual([addresses.to.help, ['others@trust.example']]);
  expect(
    sent.map(({ text }) => [text.includes(`${reference}/team`), text.includes(`${reference}/others`)]),
  ).toEqual([
    [true, false],
    [false, true],
  ]);
  await sendChanges();
  expect(sent).toHaveLength(2);
});

test('others hear of it too if something else was said before that was mailed', async () => {
  const { store, clock, sent, sendChanges, reference } = await prepare();
  await store.recordStep(reference, 'withdrawn', 'AB', clock.now());
  await store.addChange(reference, { at: clock.now(), by: 'AB', said: 'unreached' });
  await sendChanges();
  expect(sent.map(({ to }) => to)).toEqual([addresses.to.help, ['others@trust.example']]);
});

test('while a mail server takes no mail for others, the team is not mailed again and again', async () => {
  const { store, clock, sent, sendChanges, reference, refused } = await prepare();
  refused.push('others@trust.example');
  await store.recordStep(reference, 'withdrawn', 'AB', clock.now());
  const toTeam = () => sent.filter(({ to }) => to.join() === addresses.to.help.join()).length;
  for (let count = 0; count < 3; count++) {
    await sendChanges();
    clock.advance(3_600_000);
  }
  expect(toTeam()).toBe(1);
  // What is said next is mailed to the team, and others still hear of the first.
  await store.addChange(reference, { at: clock.now(), by: 'AB', said: 'unreached' });
  refused.pop();
  sent.length = 0;
  await sendChanges();
  expect(sent.map(({ to }) => to)).toEqual([addresses.to.help, ['others@trust.example']]);
  expect(await store.findJob(`changed:${reference}`)).toBeNull();
});

test.each(['taken', 'not urgent', 'no contact'])('they do not where it is %s', async (why) => {
  const { store, clock, sent, sendChanges, reference } = await prepare(why !== 'not urgent');
  if (why === 'taken') await store.recordStep(reference, 'taken', 'AB', clock.now());
  await store.recordStep(reference, why === 'no contact' ? 'no-contact' : 'withdrawn', 'AB', clock.now());
  await sendChanges();
  expect(sent.map(({ to }) => to)).toEqual([addresses.to.help]);
});

test('a mail that fails is tried again as the same mail, and what was withdrawn is not erased meanwhile', async () => {
  const { store, clock, sent, outcome, sendChanges, reference } = await prepare(false);
  await store.recordStep(reference, 'withdrawn', 'AB', clock.now());
  for (const next of [later, never]) {
    outcome.next = next;
    await sendChanges();
    const count = sent.length;
    await sendChanges();
    expect(sent).toHaveLength(count);
    clock.advance(next.permanent ? 24 * 3_600_000 : 60_000);
    expect(await store.findJob(`changed:${reference}`)).not.toBeNull();
  }
  outcome.next = { ok: true };
  await sendChanges();
  // The shorter one is of the mail that was refused for good.
  expect(new Set(sent.map(({ name }) => name.replace('-short', ''))).size).toBe(1);
  expect(await store.findJob(`changed:${reference}`)).toBeNull();
});

test('a new number of a sealed request goes out sealed, and is in no log', async () => {
  const { store, clock, sent, lines, sendChanges, reference } = await prepare(false);
  const { recipient } = await generateKeyPair();
  const answers = await createSeal([recipient])([{ key: 'Phone', value: '021 000 001' }]);
  await store.addChange(reference, { at: clock.now(), by: 'AB', said: 'details', answers });
  await sendChanges();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.text).toContain(`${reference}-change.age`);
  expect(sent[0]?.text).not.toContain('021 000');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ event: 'change mail sent', reference }]);
});

test('without a mail server the file of the request is written again, with what was said', async () => {
  const { store, clock, sent, parts, reference } = await prepare(false);
  const written: unknown[] = [];
  const rewriteFile = async ({ followUp }: { followUp: unknown }): Promise<SendOutcome> => {
    written.push(followUp);
    return { ok: true };
  };
  await store.recordStep(reference, 'no-contact', 'AB', clock.now());
  await createSendChanges({ ...parts, queue: store, rewriteFile })();
  expect(written).toMatchObject([{ noContactBy: 'AB' }]);
  expect(sent).toEqual([]);
});
