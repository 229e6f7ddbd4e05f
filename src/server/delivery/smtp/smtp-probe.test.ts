import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { smtpTo } from '../../../../test/support/delivery.ts';
import { type Act, impatient, type Step } from '../../../../test/support/scripted-smtp.ts';
import { allSteps, staff, startSmtpToProbe, stepsOf, upTo } from '../../../../test/support/smtp-probe.ts';
import { createFolderTransport, erasingSentFiles } from '../folder/folder-transport.ts';
import type { MailStep } from '../mail-transport.ts';

test('a probe of a third-party mail server leaves no mail there', async () => {
  const heard: string[] = [];
  const note = (what: string, done: () => void) => {
    heard.push(what);
    done();
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: ({ address }, _session, done) => note(address, done),
    onRcptTo: ({ address }, _session, done) => note(address, done),
    onData: (_stream, _session, done) => note('DATA', done),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as { port: number };
  const found = await smtpTo(port).probe(staff);
  expect(found.problem).toBeNull();
  expect(heard).toEqual(['website@trust.example', ...staff]);
});

test('a server on this machine is probed without encryption and without a user', async () => {
  const { smtp, probe } = await startSmtpToProbe();
  const found = await probe({ url: `smtp://127.0.0.1:${smtp.port}` });
  expect(stepsOf(found)).toEqual(allSteps);
  expect(found.steps.map(({ detail }) => detail).filter(Boolean)).toEqual([
    'not encrypted, and does not leave this machine',
    'no user in SMTP_URL',
  ]);
  expect(found.certificateUntil).toBeNull();
});

test.each(['smtp://127.0.0.1', 'smtp://localhost', 'smtps://127.0.0.1', 'smtps://localhost'])(
  'nobody listening at %s',
  async (address) => {
    const { smtp, probe } = await startSmtpToProbe();
    await smtp.close();
    const found = await probe({ url: `${address}:${smtp.port}` });
    expect(stepsOf(found)).toEqual(upTo('connection'));
    expect(found.problem).toBe('ECONNREFUSED at CONN');
  },
);

const failures: [Step, Act, MailStep['step'], string][] = [
  ['GREETING', 'silent', 'connection', 'ETIMEDOUT at CONN'],
  ['GREETING', 'dribble', 'connection', 'ETIMEDOUT at CONN'],
  ['GREETING', 'drop', 'connection', 'ECONNECTION at CONN'],
  ['GREETING', '554 \x1b[31mgo away\x07', 'connection', 'SMTP 554 at CONN'],
  ['EHLO', '421 busy', 'connection', 'SMTP 421 at EHLO'],
  ['EHLO', 'dribble', 'connection', 'ETIMEDOUT at SESSION'],
  ['AUTH', '535 5.7.8 wrong password correct-horse', 'sign-in', 'SMTP 535 5.7.8 at AUTH PLAIN'],
  ['AUTH', '454 4.7.0 later', 'sign-in', 'SMTP 454 4.7.0 at AUTH PLAIN'],
  ['AUTH', 'silent', 'sign-in', 'ETIMEDOUT at CONN'],
  ['AUTH', 'drop', 'sign-in', 'ECONNECTION at CONN'],
  ['AUTH', 'dribble', 'sign-in', 'ETIMEDOUT at SESSION'],
  ['MAIL', '550 5.7.1 not <website@trust.example>', 'sender', 'SMTP 550 5.7.1 at MAIL FROM'],
  ['MAIL', '421 busy', 'sender', 'SMTP 421 at MAIL FROM'],
  ['MAIL', 'silent', 'sender', 'ETIMEDOUT at CONN'],
  ['MAIL', 'drop', 'sender', 'ECONNECTION at CONN'],
  ['MAIL', 'dribble', 'sender', 'ETIMEDOUT at SESSION'],
  ['MAIL', '\x1b]0;not a code\x07', 'sender', 'EENVELOPE at MAIL FROM'],
  ['MAIL', '250-\u0000', 'sender', 'ETIMEDOUT at SESSION'],
  ['RCPT', '421 4.3.2 closing', 'recipient', 'SMTP 421 4.3.2 at RCPT TO'],
  ['RCPT', 'silent', 'recipient', 'ETIMEDOUT at CONN'],
  ['RCPT', 'drop', 'recipient', 'ECONNECTION at CONN'],
  ['RCPT', 'dribble', 'recipient', 'ETIMEDOUT at SESSION'],
];

test.each(failures)(
  'a server that answers %s with %j fails at that step',
  async (step, act, failing, problem) => {
    const { smtp, probe } = await startSmtpToProbe();
    smtp.script[step] = act;
    const found = await probe({ timeouts: impatient(step, act) });
    expect(stepsOf(found)).toEqual(upTo(failing));
    expect(found.problem).toBe(problem);
  },
);

test.each(['250', '250-this\r\n250-is\r\n250 fine', '251 somewhere else'])(
  '%j counts as accepted',
  async (reply) => {
    const { smtp, probe } = await startSmtpToProbe();
    smtp.script = { MAIL: reply, RCPT: reply };
    expect((await probe()).problem).toBeNull();
  },
);

test.each([
  ['550 5.1.1 <help@trust.example> unknown', 'SMTP 550 5.1.1 at RCPT TO'],
  ['550-5.1.1 no such\r\n550 5.1.1 mailbox', 'SMTP 550 5.1.1 at RCPT TO'],
  ['550', 'SMTP 550 at RCPT TO'],
  ['2500 not a code', 'EENVELOPE at RCPT TO'],
  ['450 4.2.0 greylisted', 'SMTP 450 4.2.0 at RCPT TO'],
])('one recipient refused with %s does not affect the other', async (reply, problem) => {
  const { smtp, probe } = await startSmtpToProbe();
  smtp.script.RCPT = ({ to }) => (to.at(-1) === 'help@trust.example' ? reply : undefined);
  const found = await probe();
  expect(stepsOf(found)).toEqual([...allSteps.slice(0, 5), 'recipient failed', 'recipient']);
  expect(found.problem).toBe(problem);
});

test('after a 421 no further recipient is tried', async () => {
  const { smtp, probe } = await startSmtpToProbe();
  smtp.script.RCPT = '550 5.1.1 no\r\n421 4.3.2 and good bye';
  const found = await probe();
  expect(stepsOf(found)).toEqual([...allSteps.slice(0, 5), 'recipient failed', 'recipient failed']);
  expect(found.problem).toBe('SMTP 550 5.1.1 at RCPT TO');
});

test.each(['silent', 'drop', '500 what is that'])(
  'how a server says good bye does not matter: %s',
  async (act) => {
    const { smtp, probe } = await startSmtpToProbe();
    smtp.script.RSET = act;
    const found = await probe({ timeouts: { silenceMs: 250 } });
    expect(stepsOf(found)).toEqual(allSteps);
    expect(found.problem).toBeNull();
  },
);

test('an address with a line break is never sent to the server', async () => {
  const { smtp, probe } = await startSmtpToProbe();
  const found = await probe({}, ['help@trust.example>\r\nDATA']);
  expect(found.problem).toBe('EENVELOPE at RCPT TO');
  expect(smtp.heard.some((line) => line.startsWith('RCPT'))).toBe(false);
});

test('a transport that clears the folder can still probe; a folder transport cannot', async () => {
  const { smtp } = await startSmtpToProbe();
  expect((await erasingSentFiles(smtpTo(smtp.port), 'nowhere').probe?.(staff))?.problem).toBeNull();
  expect(createFolderTransport('nowhere').probe).toBeUndefined();
});
