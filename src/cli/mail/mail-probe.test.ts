import PostalMime from 'postal-mime';
import { expect, onTestFinished, test } from 'vitest';
import { smtpTo } from '../../../test/support/delivery.ts';
import {
  type Act,
  impatient,
  type ScriptedSmtp,
  type Step,
  startScriptedSmtp,
} from '../../../test/support/scripted-smtp.ts';
import { endedCertificate, testCertificate } from '../../../test/support/test-certificate.ts';
import type { SmtpOptions } from '../../server/delivery/smtp/smtp-session.ts';
import { describeProbe, probeMail, writeTestMail } from './mail-probe.ts';

const from = 'website@trust.example';
const staff = ['help@trust.example', 'contact@trust.example'];

async function prepare(options: Parameters<typeof startScriptedSmtp>[0] = {}) {
  const smtp = await startScriptedSmtp(options);
  onTestFinished(() => smtp.close());
  const encrypted = options.starttls || options.tls;
  const run = async (more: Partial<SmtpOptions> = {}) => {
    const host = encrypted ? 'localhost' : '127.0.0.1';
    const url = `${options.tls ? 'smtps' : 'smtp'}://user:correct-horse@${host}:${smtp.port}`;
    const transport = smtpTo(smtp.port, { url, isLocal: () => !encrypted, ...more });
    const write = (to: string) => writeTestMail({ name: 'Sample', address: from }, to, new Date());
    const result = await probeMail({
      transport,
      recipients: staff,
      write,
    });
    const lines = describeProbe(result, { host, port: smtp.port, from });
    expect(JSON.stringify({ result, lines })).not.toMatch(/correct-horse|go away|\\u00/);
    return { result, lines };
  };
  return { smtp, run };
}

const failed = (lines: Awaited<ReturnType<Awaited<ReturnType<typeof prepare>>['run']>>['lines']) =>
  lines.filter(({ ok }) => ok === false);
const to = (smtp: ScriptedSmtp) => smtp.accepted.map((mail) => mail.to[0]).toSorted();

test('each recipient gets a mail that says that it is a test, and each step and mailbox has a line', async () => {
  const { smtp, run } = await prepare({ starttls: true });
  const { result, lines } = await run({ ca: testCertificate.cert });
  expect(result.ok).toBe(true);
  expect(lines.every(({ ok, todo }) => ok && todo === null)).toBe(true);
  expect(lines.map(({ line }) => line)).toEqual([
    'Name        localhost can be found',
    `Connection  it answers at port ${smtp.port}`,
    expect.stringMatching(/^Encryption {2}TLSv1\.\d, certificate valid until .* 2126/),
    'Sign-in     user and password are accepted',
    'Sender      website@trust.example may send',
    'Mailbox     help@trust.example: the mail server accepted the test',
    'Mailbox     contact@trust.example: the mail server accepted the test',
  ]);
  expect(to(smtp)).toEqual(staff.toSorted());
  const { subject, text, headers } = await PostalMime.parse(smtp.accepted[0]?.raw ?? '');
  expect(subject).toBe('[Website] Test: nobody needs to do anything');
  expect(text).toContain('This is a test from the website. Nobody needs to do anything.');
  expect(headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
});

const ways: [what: string, Step, Act, line: RegExp, todo: RegExp][] = [
  ['a silent server', 'GREETING', 'silent', /^Connection .*ETIMEDOUT/, /blocks the port/],
  ['a server that dribbles', 'EHLO', 'dribble', /^Connection .*ETIMEDOUT/, /too slow/],
  ['a server that hangs up', 'GREETING', 'drop', /^Connection .*ECONNECTION/, /closed the connection/],
  ['a server that shuts us out', 'GREETING', '554 \x1b[31mgo away\x07', /^Connection .*SMTP 554/, /blocked/],
  ['a busy server', 'EHLO', '421 busy', /^Connection .*SMTP 421/, /try again later/],
  ['a wrong password', 'AUTH', '535 5.7.8 go away', /^Sign-in .*SMTP 535 5\.7\.8/, /app password/],
  ['a server that drops at the sign-in', 'AUTH', 'drop', /^Sign-in .*ECONNECTION/, /closed the connection/],
  ['a sign-in that is put off', 'AUTH', '454 4.7.0 later', /^Sign-in .*SMTP 454/, /try again later/],
  ['a sender that is not allowed', 'MAIL', '550 5.7.1 go away', /^Sender .*SMTP 550/, /MAIL_FROM/],
  ['a sender without a user', 'MAIL', '530 5.7.0 go away', /^Sender .*SMTP 530/, /user and a password first/],
  ['a sender that nobody answers', 'MAIL', 'silent', /^Sender .*ETIMEDOUT/, /too slow/],
];
test.each(ways)(
  '%s is reported with what to do, and nothing is sent',
  async (_what, step, act, line, todo) => {
    const { smtp, run } = await prepare();
    smtp.script[step] = act;
    const { result, lines } = await run({ timeouts: impatient(step, act) });
    expect(result.ok).toBe(false);
    const [only, ...more] = failed(lines);
    expect(more).toEqual([]);
    expect(only?.line).toMatch(line);
    expect(only?.todo).toMatch(todo);
    expect(lines.at(-1)).toEqual({
      ok: null,
      line: 'Mailbox     contact@trust.example: not tried',
      todo: null,
    });
    expect(smtp.seen).toEqual([]);
  },
);

test('an unknown name and a closed port are reported with what to do', async () => {
  const { smtp, run } = await prepare();
  const unknown = await run({ url: 'smtp://no-such-host.invalid', timeouts: { connectionMs: 2_000 } });
  expect(failed(unknown.lines)[0]?.todo).toContain('Is it spelt right in SMTP_URL?');
  await smtp.close();
  const closed = await run();
  expect(failed(closed.lines)[0]?.line).toContain('ECONNREFUSED');
  expect(failed(closed.lines)[0]?.todo).toContain('Is the port in SMTP_URL the one');
});

test('each way in which encryption fails says what to do about it', async () => {
  const selfSigned = await (await prepare({ starttls: true })).run();
  expect(failed(selfSigned.lines)[0]?.todo).toContain('cannot be verified');
  const ended = await (await prepare({ tls: true, certificate: endedCertificate })).run({
    ca: endedCertificate.cert,
  });
  expect(failed(ended.lines)[0]?.todo).toContain('has expired');
  const server = await prepare({ starttls: true });
  const url = `smtp://127.0.0.1:${server.smtp.port}`;
  const otherName = await server.run({ url, ca: testCertificate.cert });
  expect(failed(otherName.lines)[0]?.todo).toContain('for another name');
  const none = await (await prepare()).run({ isLocal: () => false });
  expect(failed(none.lines)[0]?.todo).toContain('does not encrypt at this port');
  const plain = await prepare();
  const wrongPort = await plain.run({ url: `smtps://127.0.0.1:${plain.smtp.port}` });
  expect(failed(wrongPort.lines)[0]?.todo).toContain('465 goes with smtps://');
});

test.each([
  ['RCPT', '550 5.1.1 go away', /knows no such mailbox/],
  ['RCPT', '552 5.2.2 go away', /full/],
  ['RCPT', '554 5.7.1 relay go away', /does not accept mail for that address from you/],
  ['RCPT', '450 4.2.0 greylisted', /try again later, as many do/],
  ['END', '554 5.7.1 go away', /refused the mail itself/],
] as const)(
  'a mailbox that is refused at %s with %s does not prevent the test of the other',
  async (step, reply, todo) => {
    const { smtp, run } = await prepare();
    smtp.script[step] = (mail) => (mail.to.at(-1) === 'help@trust.example' ? reply : undefined);
    const { result, lines } = await run();
    expect(result.ok).toBe(false);
    expect(failed(lines)).toHaveLength(1);
    expect(failed(lines)[0]?.line).toContain('help@trust.example: SMTP ');
    expect(failed(lines)[0]?.todo).toMatch(todo);
    expect(lines.at(-1)?.line).toContain('contact@trust.example: the mail server accepted the test');
    expect(to(smtp)).toEqual(['contact@trust.example']);
  },
);
