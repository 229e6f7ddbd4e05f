import PostalMime from 'postal-mime';
import { expect, onTestFinished, test } from 'vitest';
import { smtpTo } from '../../../../test/support/delivery.ts';
import { shippedContent } from '../../../../test/support/forms.ts';
import { collectLog } from '../../../../test/support/log.ts';
import { startScriptedSmtp, type Taken } from '../../../../test/support/scripted-smtp.ts';
import { addresses, createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { createUrgentReminder } from './urgent-reminder.ts';

const minute = 60_000;
const hour = 60 * minute;
const team = 'help@trust.example';
const manager = 'manager@elsewhere.example';

/** One mail to the team and one to the people of MAIL_TO_ESCALATE: what became of one is nothing to the other. */
async function prepare() {
  const store = await openSqliteStore(temporaryFolder());
  onTestFinished(() => store.close());
  const smtp = await startScriptedSmtp();
  onTestFinished(() => smtp.close());
  const clock = createClock('2026-11-14T10:00:00Z');
  const { log, lines } = collectLog();
  const linkOf = (readers: string) => (reference: string) =>
    `https://www.trust.example/${readers}/${reference}`;
  const look = createUrgentReminder({
    store,
    ...{ addresses, log, now: clock.now, site: () => shippedContent.site },
    ...{ at: '08:30', escalateTo: [manager], withAlerts: false },
    ...{ transport: smtpTo(smtp.port), staffLink: linkOf('team'), othersLink: linkOf('others') },
  });
  /** Looks every minute for so long. Resolves to whom a mail was sent, and what it was about. */
  const watch = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += minute) {
      clock.advance(minute);
      await look().catch(() => {});
    }
    const mails = smtp.accepted.splice(0);
    return Promise.all(
      mails.map(async ({ to, raw }) => [to.join(), (await PostalMime.parse(raw)).subject?.split(' ').at(-1)]),
    );
  };
  const answerTo =
    (address: string, reply: string) =>
    ({ to }: Taken) =>
      to.includes(address) ? reply : undefined;
  const receive = () => storeSubmission(store, { receivedAt: clock.now(), urgent: true });
  return { store, smtp, clock, lines, look, watch, answerTo, receive };
}

test('a mail server that refuses the mail to the team silences nobody else', async () => {
  const { smtp, watch, answerTo, receive } = await prepare();
  const reference = await receive();
  smtp.script.END = answerTo(team, '550 5.7.1 no');
  expect(await watch(hour)).toEqual([[manager, reference]]);
  // To the team the whole mail and the short one, and once to the manager.
  expect(smtp.seen).toHaveLength(3);
  expect(await watch(119 * minute)).toEqual([]);
  expect(await watch(minute)).toEqual([[manager, reference]]);
});

test('a request that came in while the clock was far ahead is mailed at once, without a time that is still to come', async () => {
  const { store, smtp, clock, look } = await prepare();
  const receivedAt = new Date(clock.now().getTime() + 300 * 24 * hour);
  const reference = await storeSubmission(store, { receivedAt, urgent: true });
  await look();
  const { text } = await PostalMime.parse(smtp.accepted[0]?.raw ?? '');
  expect(text).toContain(`${reference}, Get Help (URGENT)\nThe clock was wrong when it came in.`);
});

test('each mail has links of its own, so that a press shows who reads it', async () => {
  const { smtp, clock, look, receive } = await prepare();
  await receive();
  clock.advance(hour);
  await look();
  const texts = await Promise.all(
    smtp.accepted.map(async ({ to, raw }) => [to.join(), (await PostalMime.parse(raw)).text]),
  );
  expect(Object.fromEntries(texts)).toEqual({
    [team]: expect.stringContaining('https://www.trust.example/team/'),
    [manager]: expect.stringContaining('https://www.trust.example/others/'),
  });
});

test.each([
  [team, manager],
  [manager, team],
])('a mail to %s that could not be sent is tried again by itself', async (failing, other) => {
  const { store, smtp, clock, lines, watch, answerTo, receive } = await prepare();
  const reference = await receive();
  smtp.script.END = answerTo(failing, '451 later');
  expect(await watch(hour + 20 * minute)).toEqual([[other, reference]]);
  smtp.script = {};
  expect(await watch(5 * minute)).toEqual([[failing, reference]]);
  const ids = smtp.seen.map(({ raw }) => /^Message-ID: .*$/im.exec(raw)?.[0]);
  // One for each mail, however often it was tried.
  expect(new Set(ids).size).toBe(2);
  expect(lines.join()).toContain('urgent reminder not sent');
  expect(await watch(94 * minute)).toEqual([]);
  smtp.script.END = answerTo(failing, '451 later');
  expect(await watch(minute)).toEqual([[other, reference]]);
  await store.recordStep(reference, 'taken', 'AB', clock.now());
  smtp.script = {};
  expect(await watch(hour)).toEqual([]);
});

test('what became due while a mail could not be sent is in it too', async () => {
  const { smtp, watch, answerTo, receive } = await prepare();
  await receive();
  await watch(30 * minute);
  await receive();
  smtp.script.END = answerTo(manager, '451 later');
  expect(await watch(hour)).toHaveLength(2);
  smtp.script = {};
  expect(await watch(5 * minute)).toEqual([[manager, 'requests']]);
});

test('a mail that is tried again is not sent beside the next reminder', async () => {
  const { smtp, watch, answerTo, receive } = await prepare();
  const reference = await receive();
  smtp.script.END = answerTo(team, '451 later');
  await watch(hour + 117 * minute);
  smtp.script = {};
  const sent = await watch(10 * minute);
  expect(sent.filter(([to]) => to === team)).toEqual([[team, reference]]);
});

test('a clock that is set back delays no mail that is tried again', async () => {
  const { smtp, clock, watch, answerTo, receive } = await prepare();
  const reference = await receive();
  smtp.script.END = answerTo(team, '451 later');
  await watch(hour);
  smtp.script = {};
  clock.advance(-20 * hour);
  expect(await watch(5 * minute)).toContainEqual([team, reference]);
});

test('a mail that is refused for good is not tried every five minutes because another one failed', async () => {
  const { smtp, watch, receive } = await prepare();
  await receive();
  smtp.script.END = ({ to }: Taken) => (to.includes(team) ? '550 5.7.1 no' : '451 later');
  await watch(hour);
  const refused = smtp.seen.filter(({ to }) => to.includes(team)).length;
  await watch(hour);
  expect(smtp.seen.filter(({ to }) => to.includes(team))).toHaveLength(refused);
});
