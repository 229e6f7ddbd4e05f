import { expect, onTestFinished, test } from 'vitest';
import { collectLog } from '../../../../test/support/log.ts';
import { createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { WrittenMail } from '../mail.ts';
import type { MailTransport, SendOutcome } from '../mail-transport.ts';
import { createDeliveryWorker, type DeliveryWorkerParts } from './delivery-worker.ts';
import { createThreadMails, type ThreadMail } from './thread-mails.ts';

const minute = 60_000;
const later = { ok: false, permanent: false, reason: 'SMTP 451 at DATA' } as const;
const never = { ok: false, permanent: true, reason: 'SMTP 550 at DATA' } as const;

function prepare(act: () => SendOutcome = () => ({ ok: true })) {
  const clock = createClock();
  const { log, lines } = collectLog();
  const tried: string[] = [];
  const transport = {
    description: 'a test',
    async send({ name }: { name: string }) {
      tried.push(name);
      return act();
    },
  };
  const refused: string[] = [];
  const refusals = {
    recordAccepted() {},
    recordRefused: async ({ name }: { name: string }, reason: string) => void refused.push(name, reason),
  };
  const mails = createThreadMails({ transport, now: clock.now, log, refusals });
  const sendDue = async () => {
    for (let send = mails.takeDue(); send; send = mails.takeDue()) await send();
  };
  return { clock, lines, tried, refused, transport, mails, sendDue };
}

const mail = (kind: ThreadMail['kind'], reference: string, name = `${kind}-${reference}`): ThreadMail => ({
  kind,
  reference,
  compose: (date) => ({
    ...{ name, from: { name: 'Sample', address: 'website@trust.example' }, to: ['help@trust.example'] },
    ...{ subject: 'Sample', text: 'Sample', html: '', date },
  }),
});

test('a mail that fails is tried again, five times in ten minutes; then the log says so, without a name', async () => {
  const { clock, lines, tried, mails, sendDue } = prepare(() => later);
  mails.add(mail('press', 'HK7W-3RQX'));
  for (let at = 0; at < 24 * 60 * minute; at += 5_000) {
    await sendDue();
    if (at === 10 * minute) expect(tried).toHaveLength(5);
    clock.advance(5_000);
  }
  expect(tried).toHaveLength(5);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', event: 'press mail not sent', reference: 'HK7W-3RQX', reason: later.reason },
  ]);
});

test('one that is refused for good comes again without a link; if that is refused too, somebody else is told', async () => {
  let isRefused = true;
  const { tried, refused, lines, mails, sendDue } = prepare(() => (isRefused ? never : { ok: true }));
  mails.add(mail('link', 'HK7W-3RQX'));
  await sendDue();
  expect(tried).toEqual(['link-HK7W-3RQX', 'link-HK7W-3RQX-short']);
  expect(refused).toEqual(['link-HK7W-3RQX', never.reason]);
  expect(lines.map((line) => JSON.parse(line).event)).toContain('link mail not sent');
  isRefused = false;
  mails.add(mail('link', 'QT4R-8WMC'));
  await sendDue();
  expect(tried.slice(2)).toEqual(['link-QT4R-8WMC']);
});

test('a mail that cannot be written is not tried again, and the others are sent', async () => {
  let first = true;
  const { tried, lines, mails, sendDue } = prepare(() => {
    if (!first) return { ok: true };
    first = false;
    throw new TypeError('not of this mail');
  });
  for (const reference of ['HK7W-3RQX', 'QT4R-8WMC']) mails.add(mail('link', reference));
  await sendDue();
  expect(tried).toEqual(['link-HK7W-3RQX', 'link-QT4R-8WMC']);
  const events = lines.map((line) => JSON.parse(line).event);
  expect(events).toEqual(['link mail not sent', 'link mail sent']);
});

test('somebody who presses all day sends a few mails an hour, the last of them about the last press', async () => {
  const { clock, tried, mails, sendDue } = prepare();
  let presses = 0;
  for (let at = 0; at < 24 * 60 * minute; at += 10_000) {
    mails.add(mail('press', 'HK7W-3RQX', `press-${++presses}`));
    await sendDue();
    clock.advance(10_000);
  }
  expect(tried.slice(0, 3)).toEqual(['press-1', 'press-4', 'press-10']);
  expect(tried.length).toBeLessThanOrEqual(5 + 24 * 4);
  clock.advance(15 * minute);
  await sendDue();
  expect(tried.at(-1)).toBe(`press-${presses}`);
  // Nobody else has to wait.
  mails.add(mail('press', 'QT4R-8WMC', 'another'));
  await sendDue();
  expect(tried.at(-1)).toBe('another');
  // An hour later a press is mailed at once.
  clock.advance(61 * minute);
  mails.add(mail('press', 'QT4R-8WMC', 'the next day'));
  mails.add(mail('press', 'HK7W-3RQX', 'again'));
  await sendDue();
  expect(tried.slice(-2)).toEqual(['the next day', 'again']);
});

test('a clock that is set back delays no press for longer, and no mail that is tried again', async () => {
  const outcomes: SendOutcome[] = [{ ok: true }, later];
  const { clock, tried, mails, sendDue } = prepare(() => outcomes.shift() ?? { ok: true });
  mails.add(mail('press', 'HK7W-3RQX', 'first'));
  mails.add(mail('link', 'QT4R-8WMC', 'link'));
  await sendDue();
  clock.advance(-300 * 24 * 60 * minute);
  mails.add(mail('press', 'HK7W-3RQX', 'second'));
  clock.advance(30_000);
  await sendDue();
  expect(tried.slice(0, 2)).toEqual(['first', 'link']);
  expect(tried.slice(2).toSorted()).toEqual(['link', 'second']);
});

test('memory holds a thousand; what is dropped is in the log', async () => {
  const { lines, tried, mails, sendDue } = prepare();
  for (let n = 0; n < 1_002; n++) mails.add(mail('link', `N${n}`));
  // One that waits already is replaced.
  mails.add(mail('link', 'N0', 'newer'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    ['N1000', 'N1001'].map((reference) => ({
      event: 'link mail not sent',
      reference,
      reason: 'too many wait',
    })),
  );
  await sendDue();
  expect(tried).toHaveLength(1_000);
  expect(tried[0]).toBe('newer');
});

async function prepareWorker(
  threadMails: DeliveryWorkerParts['threadMails'],
  transport: MailTransport,
  now: () => Date,
) {
  const store = await openSqliteStore(temporaryFolder());
  onTestFinished(() => store.close());
  const keep = async (count: number) => {
    const kept: string[] = [];
    for (let n = 0; n < count; n++) kept.push(await storeSubmission(store, { receivedAt: now() }));
    return kept;
  };
  const send = ({ reference }: { reference: string }) => transport.send({ name: reference } as WrittenMail);
  const { log } = collectLog();
  const parts = { queue: store, send, threadMails, now, log };
  return { keep, createWorker: (options = {}) => createDeliveryWorker({ ...parts, options }) };
}

test('they wait until no request is due, and leave a slot and a token to a new request', async () => {
  const { clock, tried, mails, transport } = prepare();
  const { keep, createWorker } = await prepareWorker(mails, transport, clock.now);
  const worker = createWorker();
  const kept = await keep(3);
  for (const reference of kept) mails.add(mail('link', reference));
  await worker.sendDue();
  // The burst is four: the fourth is for whoever asks next.
  expect(tried.toSorted()).toEqual(kept.toSorted());
  const [next] = await keep(1);
  await worker.sendDue();
  expect(tried.at(-1)).toBe(next);
  for (let seconds = 0; seconds < 10; seconds += 2) {
    clock.advance(2_000);
    await worker.sendDue();
  }
  expect(tried.slice(4)).toEqual(kept.map((reference) => `link-${reference}`));
});

test('one that hangs delays no request', async () => {
  const { clock, tried, transport } = prepare();
  const release = Promise.withResolvers<void>();
  let hanging = 0;
  const takeDue = () => () => {
    hanging++;
    return release.promise;
  };
  const { keep, createWorker } = await prepareWorker({ takeDue }, transport, clock.now);
  const worker = createWorker({ everyMs: 0, pollMs: 20 });
  worker.start();
  await expect.poll(() => hanging).toBe(1);
  const kept = await keep(20);
  await expect.poll(() => tried.toSorted()).toEqual(kept.toSorted());
  // One at a time.
  expect(hanging).toBe(1);
  const stopped = worker.stop();
  release.resolve();
  await stopped;
});
