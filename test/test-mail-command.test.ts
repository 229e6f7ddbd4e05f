import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { awhina, awhinaShared } from './support/command.ts';
import { mailTo, type startScriptedSmtp, startSmtp } from './support/scripted-smtp.ts';
import { temporaryFolder } from './support/temporary.ts';
import { testCertificate } from './support/test-certificate.ts';

/** The command as a volunteer runs it. Every way in which it can fail is in src/cli/mail/mail-probe.test.ts. */
async function prepare(options: Parameters<typeof startScriptedSmtp>[0] = {}) {
  const smtp = await startSmtp(options);
  const dataDir = temporaryFolder();
  const SMTP_URL = `smtp://user:correct-horse@127.0.0.1:${smtp.port}`;
  const env = {
    DATA_DIR: dataDir,
    ...mailTo(smtp.port),
    SMTP_URL,
    MAIL_TO_ESCALATE: 'manager@elsewhere.example',
  };
  return { smtp, dataDir, env, ask: (...args: string[]) => awhinaShared(['test-mail', ...args], env) };
}

test('where mail gets through, everybody has the test and each step a tick', async () => {
  const { smtp, env } = await prepare();
  const { code, out, err } = await awhina(['test-mail'], env);
  expect([code, err]).toEqual([0, '']);
  expect(out.match(/^✓ /gm)).toHaveLength(8);
  expect(out).toContain(
    'Proved: the mail server accepted it for everybody. Not proved: that a person has it.',
  );
  expect(out).toContain('PUBLIC_URL is not set, so the mail has no link to press.');
  expect(out).toContain('go to website@trust.example');
  expect(out).toContain('Now check that it arrived');
  expect(smtp.accepted.map(({ to }) => to[0]).toSorted()).toEqual([
    'contact@trust.example',
    'help@trust.example',
    'manager@elsewhere.example',
  ]);
});

test('a mail server with a certificate of the trust’s own authority is believed by SMTP_CA', async () => {
  const { smtp, env } = await prepare({ tls: true });
  const SMTP_CA = join(env.DATA_DIR, 'ca.pem');
  writeFileSync(SMTP_CA, testCertificate.cert);
  const settings = { ...env, SMTP_URL: `smtps://localhost:${smtp.port}`, SMTP_CA };
  const { code, out } = await awhinaShared(['test-mail', '--to', 'one@trust.example'], settings);
  expect(out).toMatch(/^✓ Encryption {2}TLSv1/m);
  expect(code).toBe(0);
});

test('where it does not, the failure has a cross and advice, and no word of the server or the password', async () => {
  const { smtp, ask } = await prepare();
  smtp.script.RCPT = '550 5.1.1 \x1b]0;owned\x07 correct-horse \x1b[2J<visitor@home.example>';
  const { code, out, err } = await ask('--to', 'one@trust.example', '--to', 'one@trust.example');
  expect([code, err]).toEqual([1, '']);
  expect(out).toContain(
    '✗ Mailbox     one@trust.example: SMTP 550 5.1.1 at RCPT TO\n    The mail server knows',
  );
  expect(out).not.toMatch(/owned|correct-horse|visitor/);
  expect(out.includes('\x1b') || out.includes('\x07')).toBe(false);
  const json = await ask('--to', 'one@trust.example', '--json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.out)).toMatchObject({
    ok: false,
    steps: [{ step: 'name', ok: true }, {}, {}, {}, { step: 'sender', ok: true }],
    recipients: [{ address: 'one@trust.example', ok: false, detail: 'SMTP 550 5.1.1 at RCPT TO' }],
  });
  expect(smtp.seen).toEqual([]);
});

test('an address that is none is refused before anything is sent', async () => {
  const { smtp, ask } = await prepare();
  const { code, err } = await ask('--to', 'one@trust.example>\r\nDATA');
  expect(code).toBe(2);
  expect(err).toContain('is not an e-mail address');
  expect(smtp.heard).toEqual([]);
});

test('without a mail server it says that nobody gets mail, and what is written instead', async () => {
  const dataDir = temporaryFolder();
  const { code, out } = await awhinaShared(['test-mail'], { DATA_DIR: dataDir });
  expect(code).toBe(1);
  expect(out).toContain('No mail was sent: SMTP_URL is not set');
  const files = readdirSync(join(dataDir, 'mail'));
  expect(files).toHaveLength(2);
  for (const file of files) {
    expect(out).toContain(join(dataDir, 'mail', file));
    expect(readFileSync(join(dataDir, 'mail', file), 'utf8')).toContain('Nobody needs to do anything');
  }
});

test('without a mail server and without a folder for requests none is made, which might not be the server’s', async () => {
  const dataDir = join(temporaryFolder(), 'not-there');
  const { code, out } = await awhinaShared(['test-mail'], { DATA_DIR: dataDir });
  expect(code).toBe(1);
  expect(out).toContain('is not there yet');
  expect(existsSync(dataDir)).toBe(false);
});
