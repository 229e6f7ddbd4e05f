import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sqlite } from '../../../test/support/each-store.ts';
import { collectLog } from '../../../test/support/log.ts';
import {
  day,
  escalateTo,
  hour,
  minute,
  prepareMailWatch,
  singleServer,
} from '../../../test/support/mail-watch.ts';
import { addresses } from '../../../test/support/stored-submissions.ts';
import { testCertificate } from '../../../test/support/test-certificate.ts';
import { createTimers } from '../time/run-every.ts';
import { createMailWatch, watchTimes } from './mail-watch.ts';

test('a certificate that expires within two weeks is a warning once a day, and no problem', async () => {
  const { smtp, clock, serve, told } = await prepareMailWatch({ starttls: true });
  const url = `smtp://localhost:${smtp.port}`;
  const watch = serve({ url, isLocal: () => false, ca: testCertificate.cert });
  expect(watch.certificate()).toBeNull();
  await watch.probe();
  const until = watch.certificate()?.until;
  expect(until?.getUTCFullYear()).toBe(2126);
  expect(watch.warning()).toBeNull();
  clock.advance(Number(until) - clock.now().getTime() - 15 * day);
  expect(watch.warning()).toBeNull();
  clock.advance(2 * day);
  for (let looks = 0; looks < 3; looks++) await watch.probe();
  expect([watch.problem(), watch.warning()]).toEqual([
    null,
    'the certificate of the mail server runs out on 22 October 2126',
  ]);
  expect((await told()).map(({ subject }) => subject)).toEqual(
    Array(2).fill('[Website] The certificate of your mail server runs out soon'),
  );
});

test('staff are alerted without a database too', async () => {
  const { smtp, serve, told } = await prepareMailWatch();
  smtp.script.RCPT = ({ to }) => (to.at(-1) === 'help@trust.example' ? '550 gone' : undefined);
  const lost = async () => Promise.reject(new Error('gone'));
  const watch = serve({}, { ...singleServer, addJob: lost, postponeJob: lost });
  await watch.probe();
  expect(await told()).toHaveLength(2);
});

test('the mail server is probed a minute after the start, then every hour, and every ten minutes after a failure', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const looks: number[] = [];
  let problem: string | null = null;
  const watch = createMailWatch({
    transport: {
      async probe() {
        looks.push(Math.round(performance.now() / minute));
        return { steps: [], problem, certificateUntil: null };
      },
    },
    addresses,
    escalateTo,
    gates: singleServer,
    alertStaff: async () => true,
    now: () => new Date(),
    log: collectLog().log,
  });
  const begun = Math.round(performance.now() / minute);
  const timers = createTimers(watch.timers, collectLog().log);
  timers.start();
  await vi.advanceTimersByTimeAsync(2 * hour);
  problem = 'SMTP 535 at AUTH PLAIN';
  await vi.advanceTimersByTimeAsync(90 * minute);
  await timers.stop();
  await vi.advanceTimersByTimeAsync(day);
  expect(looks.map((at) => at - begun)).toEqual([1, 61, 121, 131, 141, 151, 161, 171, 181, 191, 201]);
});

test('a probe that ends after the stop reports nothing', async () => {
  const { smtp, clock, serve, lines } = await prepareMailWatch();
  smtp.script.MAIL = 'silent';
  const watch = serve({ timeouts: { silenceMs: 3_000 } });
  const looking = watch.probe();
  await expect.poll(() => smtp.heard.some((line) => line.startsWith('MAIL'))).toBe(true);
  watch.stop();
  clock.advance(hour);
  await looking;
  expect(lines).toEqual([]);
});

describe('several servers', () => {
  test('each server probes and one alerts staff; another does where the first cannot', async () => {
    const { store, close } = await sqlite.open();
    onTestFinished(close);
    const { smtp, clock, serve, told } = await prepareMailWatch();
    smtp.script.RCPT = ({ to }) => (to.at(-1) === 'help@trust.example' ? '550 gone' : undefined);
    const deaf = await prepareMailWatch();
    deaf.smtp.script.RCPT = smtp.script.RCPT;
    deaf.smtp.script.DATA = '451 not now';
    const first = deaf.serve({}, store);
    const others = [serve({}, store), serve({}, store), serve({}, store)];
    await first.probe();
    expect([await deaf.told(), await told()]).toEqual([[], []]);
    clock.advance(watchTimes.retryMs);
    for (let looks = 0; looks < 3; looks++) {
      await Promise.all(others.map((watch) => watch.probe()));
      clock.advance(watchTimes.retryMs);
    }
    expect(others.map((watch) => watch.problem() !== null)).toEqual([true, true, true]);
    expect(await told()).toHaveLength(2);
  });
});
