import PostalMime from 'postal-mime';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { smtpTo } from '../../../test/support/delivery.ts';
import { eachStore } from '../../../test/support/each-store.ts';
import { shippedContent } from '../../../test/support/forms.ts';
import { addresses, createClock } from '../../../test/support/kept-submissions.ts';
import { keepLog } from '../../../test/support/log.ts';
import { impatient, startScriptedSmtp } from '../../../test/support/scripted-smtp.ts';
import { testCertificate } from '../../../test/support/test-certificate.ts';
import { createStaffAlert } from '../delivery/notices/staff-alert.ts';
import type { SmtpOptions } from '../delivery/smtp/smtp-session.ts';
import type { Turns } from '../store/contract/leases.ts';
import { createMailWatch, watchTimes } from './mail-watch.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const escalateTo = ['manager@elsewhere.example'];
const everybody = ['help@trust.example', 'contact@trust.example', ...escalateTo];

/** Turns of a single server. */
const alone: Turns = { claimTurn: async () => true, finishTurn: async () => {} };

async function prepare(options: Parameters<typeof startScriptedSmtp>[0] = {}) {
  const smtp = await startScriptedSmtp(options);
  onTestFinished(() => smtp.close());
  const clock = createClock();
  const { log, lines } = keepLog();
  const serve = (more: Partial<SmtpOptions> = {}, turns = alone) => {
    const transport = smtpTo(smtp.port, { url: `smtp://user:pass-word@127.0.0.1:${smtp.port}`, ...more });
    const monotonic = () => clock.now().getTime();
    const common = { transport, addresses, escalateTo, now: clock.now, monotonic, log };
    const alertStaff = createStaffAlert({ ...common, site: () => shippedContent.site });
    return createMailWatch({ ...common, turns, alertStaff });
  };
  const told = async () => {
    const mails = await Promise.all(smtp.accepted.map(({ raw }) => PostalMime.parse(raw)));
    return mails.map(({ subject, to, text }) => ({ subject, to: to?.[0]?.address, text }));
  };
  const events = () => lines.map((line) => JSON.parse(line).event);
  return { smtp, clock, serve, told, lines, events };
}

test('while all is well nobody hears of it, and no mail is sent', async () => {
  const { smtp, serve, lines } = await prepare();
  const watch = serve();
  await watch.probe();
  expect([watch.problem(), watch.warning(), lines, smtp.seen]).toEqual([null, null, [], []]);
  expect(smtp.heard.filter((line) => line.startsWith('RCPT')).map((line) => line.slice(9, -1))).toEqual(
    everybody,
  );
});

test.each([
  [
    'AUTH',
    '535 5.7.8 wrong pass-word',
    'the mail server does not accept the user or password in SMTP_URL (SMTP 535 5.7.8 at AUTH PLAIN)',
  ],
  [
    'MAIL',
    '550 5.1.8 not you',
    'the mail server does not accept the address in MAIL_FROM (SMTP 550 5.1.8 at MAIL FROM)',
  ],
  [
    'GREETING',
    '554 \x1b[2Jgo away',
    'the mail server refuses this machine: it may not know it, or may have blocked it (SMTP 554 at CONN)',
  ],
] as const)('a refusal at %s is said at once, and until it is mended', async (step, reply, problem) => {
  const { smtp, serve, events, lines } = await prepare();
  smtp.script[step] = reply;
  const watch = serve();
  await watch.probe();
  await watch.probe();
  expect(watch.problem()).toBe(problem);
  expect(events()).toEqual(['mail server takes no mail']);
  smtp.script = {};
  await watch.probe();
  expect(watch.problem()).toBeNull();
  expect(events()).toEqual(['mail server takes no mail', 'mail server takes mail again']);
  expect(lines.join('')).not.toMatch(/pass-word|wrong|not you|go away|u001b|@/);
});

test('a certificate that nobody vouches for is said at once', async () => {
  const { smtp, serve } = await prepare({ starttls: true });
  const watch = serve({ url: `smtp://localhost:${smtp.port}`, isLocal: () => false });
  await watch.probe();
  expect(watch.problem()).toContain('its certificate or its encryption is wrong');
});

test.each([
  ['RCPT', '450 4.2.0 greylisted', 'the mail server asks to try again later (SMTP 450 4.2.0 at RCPT TO)'],
  ['EHLO', '421 busy', 'the mail server asks to try again later (SMTP 421 at EHLO)'],
  ['MAIL', 'silent', 'the mail server did not answer in time (ETIMEDOUT at CONN)'],
  ['AUTH', 'dribble', 'the mail server did not answer in time (ETIMEDOUT at SESSION)'],
  ['RCPT', 'drop', 'the mail server closed the connection (ECONNECTION at CONN)'],
] as const)(
  'what passes by itself (%s %s) is worth a word only where it lasts',
  async (step, reply, problem) => {
    const { smtp, serve, events } = await prepare();
    const watch = serve({ timeouts: impatient(step, reply) });
    smtp.script[step] = reply;
    await watch.probe();
    expect(watch.problem()).toBeNull();
    smtp.script = {};
    await watch.probe();
    smtp.script[step] = reply;
    await watch.probe();
    expect(watch.problem()).toBeNull();
    await watch.probe();
    expect(watch.problem()).toBe(problem);
    expect(events().at(-1)).toBe('mail server takes no mail');
  },
);

test('nobody listening, or a name that nobody knows, is said where it lasts', async () => {
  const { smtp, serve } = await prepare();
  await smtp.close();
  const watch = serve();
  await watch.probe();
  expect(watch.problem()).toBeNull();
  await watch.probe();
  expect(watch.problem()).toBe('no mail server answers at the address in SMTP_URL (ECONNREFUSED at CONN)');
});

test('where one mailbox is refused the others hear of it, once a day, and it is named by its setting', async () => {
  const { smtp, clock, serve, told } = await prepare();
  smtp.script.RCPT = ({ to }) =>
    to.at(-1) === 'help@trust.example' ? '550 5.1.1 <help@trust.example> is gone' : undefined;
  const watch = serve();
  const problem = 'the mail server does not accept the address in MAIL_TO_HELP (SMTP 550 5.1.1 at RCPT TO)';
  for (let looks = 0; looks < 6; looks++) {
    await watch.probe();
    clock.advance(watchTimes.retryMs);
  }
  expect(watch.problem()).toBe(problem);
  const mails = await told();
  expect(mails.map(({ to }) => to).toSorted()).toEqual(['contact@trust.example', ...escalateTo]);
  expect(mails[0]?.subject).toBe('[Website] Requests from the website may not reach you');
  expect(mails[0]?.text).toContain('MAIL_TO_HELP (SMTP 550 5.1.1 at RCPT TO).');
  clock.advance(day);
  await watch.probe();
  expect(await told()).toHaveLength(4);
});

test('an alarm that does not get through is tried again at the next look', async () => {
  const { smtp, clock, serve, told } = await prepare();
  smtp.script.RCPT = ({ to }) => (to.at(-1) === 'help@trust.example' ? '550 5.1.1 gone' : undefined);
  smtp.script.END = '451 later';
  const watch = serve();
  await watch.probe();
  expect(await told()).toEqual([]);
  clock.advance(watchTimes.retryMs);
  delete smtp.script.END;
  await watch.probe();
  expect(await told()).toHaveLength(2);
});

test('while nobody can be reached nothing is sent, and once it is over they hear of it', async () => {
  const { smtp, clock, serve, told } = await prepare();
  smtp.script.AUTH = '535 no';
  const watch = serve();
  await watch.probe();
  clock.advance(5 * hour);
  await watch.probe();
  expect(smtp.heard.filter((line) => line.startsWith('AUTH'))).toHaveLength(2);
  smtp.script = {};
  await watch.probe();
  expect(watch.problem()).toBeNull();
  const mails = await told();
  expect(mails.map(({ to }) => to).toSorted()).toEqual(everybody.toSorted());
  expect(mails[0]?.subject).toBe('[Website] For a while the website could not send you email');
  expect(mails[0]?.text).toContain('user or password');
});

test('a short while is not worth a mail afterwards', async () => {
  const { smtp, clock, serve, told } = await prepare();
  smtp.script.AUTH = '535 no';
  const watch = serve();
  await watch.probe();
  clock.advance(watchTimes.retryMs);
  smtp.script = {};
  await watch.probe();
  expect(await told()).toEqual([]);
});

test('a certificate that ends within two weeks is warned of once a day, and nothing turns red', async () => {
  const { smtp, clock, serve, told } = await prepare({ starttls: true });
  const url = `smtp://localhost:${smtp.port}`;
  const watch = serve({ url, isLocal: () => false, ca: testCertificate.cert });
  expect(watch.certificateUntil()).toBeNull();
  await watch.probe();
  const until = watch.certificateUntil();
  expect(until?.getUTCFullYear()).toBe(2126);
  expect(watch.warning()).toBeNull();
  clock.advance(Number(until) - clock.now().getTime() - 15 * day);
  expect(watch.warning()).toBeNull();
  clock.advance(2 * day);
  for (let looks = 0; looks < 3; looks++) await watch.probe();
  expect([watch.problem(), watch.warning()]).toEqual([
    null,
    'the certificate of the mail server expires on 22 October 2126',
  ]);
  expect((await told()).map(({ subject }) => subject)).toEqual(
    Array(2).fill('[Website] The certificate of your mail server expires soon'),
  );
});

test('a database that cannot be asked keeps nobody from being told', async () => {
  const { smtp, serve, told } = await prepare();
  smtp.script.RCPT = ({ to }) => (to.at(-1) === 'help@trust.example' ? '550 gone' : undefined);
  const lost = async () => Promise.reject(new Error('gone'));
  const watch = serve({}, { claimTurn: lost, finishTurn: lost });
  await watch.probe();
  expect(await told()).toHaveLength(2);
});

test('it looks a minute after the start, then every hour, and every ten minutes while something is wrong', async () => {
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
    turns: alone,
    alertStaff: async () => true,
    now: () => new Date(),
    log: keepLog().log,
  });
  const begun = Math.round(performance.now() / minute);
  watch.start();
  await vi.advanceTimersByTimeAsync(2 * hour);
  problem = 'SMTP 535 at AUTH PLAIN';
  await vi.advanceTimersByTimeAsync(90 * minute);
  watch.stop();
  await vi.advanceTimersByTimeAsync(day);
  expect(looks.map((at) => at - begun)).toEqual([1, 61, 121, 131, 141, 151, 161, 171, 181, 191, 201]);
});

test('a look that is going on holds up nobody who closes, and says nothing afterwards', async () => {
  const { smtp, clock, serve, lines } = await prepare();
  smtp.script.MAIL = 'silent';
  const watch = serve({ timeouts: { silenceMs: 3_000 } });
  const looking = watch.probe();
  await expect.poll(() => smtp.heard.some((line) => line.startsWith('MAIL'))).toBe(true);
  watch.stop();
  clock.advance(hour);
  await looking;
  expect(lines).toEqual([]);
});

describe.each(eachStore())('several servers on %s', (_name, { open, end }) => {
  afterAll(end);

  test('each looks, and staff hear once; from another one where the first cannot tell them', async () => {
    const { store, close } = await open();
    onTestFinished(close);
    const { smtp, clock, serve, told } = await prepare();
    smtp.script.RCPT = ({ to }) => (to.at(-1) === 'help@trust.example' ? '550 gone' : undefined);
    const deaf = await prepare();
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
