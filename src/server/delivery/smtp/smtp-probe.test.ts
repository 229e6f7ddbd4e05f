import { createServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { smtpTo } from '../../../../test/support/delivery.ts';
import { type Act, impatient, type Step, startScriptedSmtp } from '../../../../test/support/scripted-smtp.ts';
import {
  endedCertificate,
  signedCertificate,
  testCertificate,
} from '../../../../test/support/test-certificate.ts';
import { clearingFolder, createFolderTransport } from '../folder/folder-transport.ts';
import type { MailProbe, MailStep } from '../mail-transport.ts';
import type { SmtpOptions } from './smtp-session.ts';

const staff = ['help@trust.example', 'contact@trust.example'];
const password = 'correct-horse';
async function start(options: Parameters<typeof startScriptedSmtp>[0] = {}) {
  const smtp = await startScriptedSmtp(options);
  onTestFinished(() => smtp.close());
  const encrypted = options.starttls || options.tls;
  const look = async (more: Partial<SmtpOptions> = {}, to = staff): Promise<MailProbe> => {
    const host = encrypted ? 'localhost' : '127.0.0.1';
    const url = `${options.tls ? 'smtps' : 'smtp'}://user:${password}@${host}:${smtp.port}`;
    const isLocal = () => !encrypted;
    const found = await smtpTo(smtp.port, { url, isLocal, ...more }).probe(to);
    // Whatever comes of it, no mail and no password.
    expect(smtp.heard.filter((line) => /^DATA/i.test(line))).toEqual([]);
    expect(JSON.stringify(found)).not.toContain(password);
    return found;
  };
  return { smtp, look };
}

const way: MailStep['step'][] = ['name', 'connection', 'tls', 'sign-in', 'sender', 'recipient', 'recipient'];
const stepsOf = ({ steps }: MailProbe) => steps.map(({ step, ok }) => `${step}${ok ? '' : ' failed'}`);
/** All that comes before the step is well, and nothing comes after it. */
const upTo = (step: MailStep['step']) => [...way.slice(0, way.indexOf(step)), `${step} failed`];

test('an authority of one’s own is believed besides the known ones, and not instead of them', async () => {
  const known = getCACertificates('default');
  setDefaultCACertificates([testCertificate.cert]);
  onTestFinished(() => setDefaultCACertificates(known));
  const { look } = await start({ starttls: true });
  expect((await look({ ca: [signedCertificate.authority] })).problem).toBeNull();
});

test.each([{ starttls: true }, { tls: true }])(
  'a server that takes mail is well at every step, %o',
  async (options) => {
    const { smtp, look } = await start(options);
    const found = await look({ ca: testCertificate.cert });
    expect(stepsOf(found)).toEqual(way);
    expect(found.problem).toBeNull();
    expect(found.certificateUntil?.getUTCFullYear()).toBe(2126);
    await expect.poll(() => smtp.heard.at(-1)).toBe('QUIT');
    expect(smtp.heard.filter((line) => !/^(EHLO|STARTTLS|AUTH)/.test(line))).toEqual([
      'MAIL FROM:<website@trust.example>',
      'RCPT TO:<help@trust.example>',
      'RCPT TO:<contact@trust.example>',
      'RSET',
      'QUIT',
    ]);
  },
);

test('a look at a mail server as others write them leaves no mail there', async () => {
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

test('the way to a server on this machine is said to be unencrypted, and needs no user', async () => {
  const { smtp, look } = await start();
  const found = await look({ url: `smtp://127.0.0.1:${smtp.port}` });
  expect(stepsOf(found)).toEqual(way);
  expect(found.steps.map(({ detail }) => detail).filter(Boolean)).toEqual([
    'not encrypted, and does not leave this machine',
    'no user in SMTP_URL',
  ]);
  expect(found.certificateUntil).toBeNull();
});

test('a name that nobody knows', async () => {
  const { look } = await start();
  const found = await look({ url: 'smtp://no-such-host.invalid:587', timeouts: { connectionMs: 2_000 } });
  expect(stepsOf(found)).toEqual(upTo('name'));
  expect(found.problem).toMatch(/^[A-Z_]+ at CONN$/);
}, 30_000);

test.each(['smtp://127.0.0.1', 'smtp://localhost', 'smtps://127.0.0.1', 'smtps://localhost'])(
  'nobody listening at %s',
  async (address) => {
    const { smtp, look } = await start();
    await smtp.close();
    const found = await look({ url: `${address}:${smtp.port}` });
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
    const { smtp, look } = await start();
    smtp.script[step] = act;
    const found = await look({ timeouts: impatient(step, act) });
    expect(stepsOf(found)).toEqual(upTo(failing));
    expect(found.problem).toBe(problem);
  },
);

test.each(['250', '250-this\r\n250-is\r\n250 fine', '251 somewhere else'])('%j is a yes', async (reply) => {
  const { smtp, look } = await start();
  smtp.script = { MAIL: reply, RCPT: reply };
  expect((await look()).problem).toBeNull();
});

test.each([
  ['550 5.1.1 <help@trust.example> unknown', 'SMTP 550 5.1.1 at RCPT TO'],
  ['550-5.1.1 no such\r\n550 5.1.1 mailbox', 'SMTP 550 5.1.1 at RCPT TO'],
  ['550', 'SMTP 550 at RCPT TO'],
  ['2500 not a code', 'EENVELOPE at RCPT TO'],
  ['450 4.2.0 greylisted', 'SMTP 450 4.2.0 at RCPT TO'],
])('one recipient refused with %s says nothing of the other', async (reply, problem) => {
  const { smtp, look } = await start();
  smtp.script.RCPT = ({ to }) => (to.at(-1) === 'help@trust.example' ? reply : undefined);
  const found = await look();
  expect(stepsOf(found)).toEqual([...way.slice(0, 5), 'recipient failed', 'recipient']);
  expect(found.problem).toBe(problem);
});

test('a server that says good bye unasked answers for nobody who comes after', async () => {
  const { smtp, look } = await start();
  smtp.script.RCPT = '550 5.1.1 no\r\n421 4.3.2 and good bye';
  const found = await look();
  expect(stepsOf(found)).toEqual([...way.slice(0, 5), 'recipient failed', 'recipient failed']);
  expect(found.problem).toBe('SMTP 550 5.1.1 at RCPT TO');
});

test.each(['silent', 'drop', '500 what is that'])(
  'how a server says good bye does not matter: %s',
  async (act) => {
    const { smtp, look } = await start();
    smtp.script.RSET = act;
    const found = await look({ timeouts: { silenceMs: 250 } });
    expect(stepsOf(found)).toEqual(way);
    expect(found.problem).toBeNull();
  },
);

test('a server elsewhere that does not encrypt gets neither password nor address', async () => {
  const { smtp, look } = await start();
  const found = await look({ isLocal: () => false });
  expect(stepsOf(found)).toEqual(upTo('tls'));
  expect(found.problem).toBe('SMTP 502 at STARTTLS');
  expect(smtp.heard.filter((line) => /AUTH|MAIL/.test(line))).toEqual([]);
});

const certificates: [string, Parameters<typeof startScriptedSmtp>[0], Partial<SmtpOptions>, string][] = [
  ['that nobody vouches for', {}, {}, 'DEPTH_ZERO_SELF_SIGNED_CERT at CONN'],
  [
    'that has ended',
    { certificate: endedCertificate },
    { ca: endedCertificate.cert },
    'CERT_HAS_EXPIRED at CONN',
  ],
];
test.each(['starttls', 'tls'] as const)(
  '%s: a certificate that cannot be trusted ends it at TLS',
  async (kind) => {
    for (const [, options, more, problem] of certificates) {
      const { smtp, look } = await start({ ...options, [kind]: true });
      const found = await look(more);
      expect(stepsOf(found)).toEqual(upTo('tls'));
      expect(found.problem).toBe(problem);
      expect(found.certificateUntil).toBeNull();
      expect(smtp.heard.filter((line) => /AUTH|MAIL/.test(line))).toEqual([]);
    }
  },
);

test('a server that says nothing to the beginning of TLS is too slow at TLS', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });
  const { look } = await start();
  const { port } = silent.address() as { port: number };
  const found = await look({ url: `smtps://127.0.0.1:${port}`, timeouts: { connectionMs: 300 } });
  expect(stepsOf(found)).toEqual(upTo('tls'));
  expect(found.problem).toBe('ETIMEDOUT at CONN');
});

test('smtps to a port that speaks plainly fails at TLS', async () => {
  const { smtp, look } = await start();
  const found = await look({ url: `smtps://127.0.0.1:${smtp.port}` });
  expect(stepsOf(found)).toEqual(upTo('tls'));
  expect(found.problem).toMatch(/^ERR_SSL_\w+ at CONN$/);
});

test('an address with a second line in it is never said to the server', async () => {
  const { smtp, look } = await start();
  const found = await look({}, ['help@trust.example>\r\nDATA']);
  expect(found.problem).toBe('EENVELOPE at RCPT TO');
  expect(smtp.heard.some((line) => line.startsWith('RCPT'))).toBe(false);
});

test('with a folder for mail left over, the look is still there; without a mail server there is none', async () => {
  const { smtp } = await start();
  expect((await clearingFolder(smtpTo(smtp.port), 'nowhere').probe?.(staff))?.problem).toBeNull();
  expect(createFolderTransport('nowhere').probe).toBeUndefined();
});
