import { expect, test } from 'vitest';
import { day, escalateTo, everybody, hour, prepareMailWatch } from '../../../test/support/mail-watch.ts';
import { impatient } from '../../../test/support/scripted-smtp.ts';
import { watchTimes } from './mail-watch.ts';

test('while the mail server accepts mail, no mail is sent and nothing is logged', async () => {
  const { smtp, serve, lines } = await prepareMailWatch();
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
    'the mail server does not accept the sender in MAIL_FROM or MAIL_BOUNCES_TO (SMTP 550 5.1.8 at MAIL FROM)',
  ],
  [
    'GREETING',
    '554 \x1b[2Jgo away',
    'the mail server refuses this machine: it may not know it, or may have blocked it (SMTP 554 at CONN)',
  ],
] as const)('a refusal at %s is reported at once, until it is fixed', async (step, reply, problem) => {
  const { smtp, serve, events, lines } = await prepareMailWatch();
  smtp.script[step] = reply;
  const watch = serve();
  await watch.probe();
  await watch.probe();
  expect(watch.problem()).toBe(problem);
  expect(events()).toEqual(['mail server refuses mail']);
  smtp.script = {};
  await watch.probe();
  expect(watch.problem()).toBeNull();
  expect(events()).toEqual(['mail server refuses mail', 'mail server accepts mail again']);
  expect(lines.join('')).not.toMatch(/pass-word|wrong|not you|go away|u001b|@/);
});

test('an untrusted certificate is reported at once', async () => {
  const { smtp, serve } = await prepareMailWatch({ starttls: true });
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
    const { smtp, serve, events } = await prepareMailWatch();
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
    expect(events().at(-1)).toBe('mail server refuses mail');
  },
);

test('a closed port or an unknown name is reported at the second probe', async () => {
  const { smtp, serve } = await prepareMailWatch();
  await smtp.close();
  const watch = serve();
  await watch.probe();
  expect(watch.problem()).toBeNull();
  await watch.probe();
  expect(watch.problem()).toBe('no mail server answers at the address in SMTP_URL (ECONNREFUSED at CONN)');
});

test('where one mailbox is refused the others are alerted once a day, with the name of its setting', async () => {
  const { smtp, clock, serve, told } = await prepareMailWatch();
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

test('an alert that could not be sent is sent again at the next probe', async () => {
  const { smtp, clock, serve, told } = await prepareMailWatch();
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

test('while no mailbox is accepted no alert is sent, and after it staff are told', async () => {
  const { smtp, clock, serve, told } = await prepareMailWatch();
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

test('a short failure is not reported afterwards', async () => {
  const { smtp, clock, serve, told } = await prepareMailWatch();
  smtp.script.AUTH = '535 no';
  const watch = serve();
  await watch.probe();
  clock.advance(watchTimes.retryMs);
  smtp.script = {};
  await watch.probe();
  expect(await told()).toEqual([]);
});
