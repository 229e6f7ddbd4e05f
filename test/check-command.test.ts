import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { awhina } from './support/command.ts';
import { temporaryFolder } from './support/temporary.ts';

/** The shipped content with something else in its help form. */
async function checkHelp(what: string, instead: string) {
  const folder = temporaryFolder();
  cpSync('content', folder, { recursive: true });
  const file = join(folder, 'forms/help.yaml');
  const help = readFileSync(file, 'utf8');
  expect(help).toContain(what);
  writeFileSync(file, help.replace(what, instead));
  return awhina(['check'], { CONTENT_DIR: folder });
}

test('check finds every problem in the content and the settings at once', async () => {
  expect((await awhina(['check'])).out).toMatch(/^The content and the settings are right\.\n/);
  const folder = temporaryFolder();
  cpSync('content', folder, { recursive: true });
  const help = join(folder, 'forms/help.yaml');
  writeFileSync(help, readFileSync(help, 'utf8').replace('type: boolean', 'type: tickbox'));
  const { code, out } = await awhina(['check'], {
    CONTENT_DIR: folder,
    PORT: 'three',
    SEAL_TO: 'age1nonsense',
    SMTP_URL: 'smtp://',
  });
  expect(code).toBe(1);
  expect(out).toMatch(/forms\/help\.yaml:\d+/);
  expect(out).toContain('PORT must be');
  expect(out).toContain('SEAL_TO must be');
  expect(out).toContain('SMTP_URL must name a server');
  expect(out).toContain('MAIL_TO_HELP must be set');
});

test('check says what to do with mail that was written to the folder', async () => {
  const dataDir = temporaryFolder();
  const notes = async (env: Record<string, string>) =>
    (await awhina(['check'], { DATA_DIR: dataDir, ...env })).out;
  const smtp = {
    SMTP_URL: 'smtp://mail.trust.example',
    MAIL_FROM: 'website@trust.example',
    MAIL_TO_HELP: 'help@trust.example',
    MAIL_TO_CONTACT: 'contact@trust.example',
  };
  expect(await notes(smtp)).not.toContain('mail holds');
  mkdirSync(join(dataDir, 'mail'));
  writeFileSync(join(dataDir, 'mail', 'notice-2026-11-15-15-10.eml'), '');
  expect(await notes(smtp)).not.toContain('mail holds');
  writeFileSync(join(dataDir, 'mail', 'HK7W-3RQX.eml'), '');
  expect(await notes(smtp)).toContain(`${dataDir}/mail holds 1 mail that was written there and never sent.`);
  expect(await notes(smtp)).toContain('./awhina deliveries retry REFERENCE');
  expect(await notes({})).toContain('counts as delivered');
});

test('check says how each choice that tells us something is understood', async () => {
  const { out } = await checkHelp(
    '    - { label: Text message, means: text, asks: Phone }\n',
    '    - Text message\n',
  );
  expect(out).toContain(`
How the choices are understood:
  Phone call: a safe way
  Text message: shown above the mail word for word, and no reply goes to the visitor
  Email: a safe way; a reply goes to the visitor
  Please don't contact me, I will contact you: the mail says DO NOT CONTACT THIS PERSON
  Feeling unsafe at home: the mail says URGENT, and goes out first
`);
  expect(out).toContain('Note: forms: nobody has said what these choices mean: Text message.');
});

test('check notes a help form that staff could never reply to, and meanings that are none', async () => {
  const { out, code } = await checkHelp('means: email', 'means: emial');
  expect(code).toBe(0);
  expect(out).toContain('no choice means email, so staff can never reply to a request by email');
  expect(out).toContain('the choices are only their words: Email (emial)');
  expect(out).toContain('Email: shown above the mail word for word');
  expect((await awhina(['check'])).out).not.toContain('forms');
});

test('check finds a choice that asks for what the form does not ask', async () => {
  const { out, code } = await checkHelp('asks: Phone', 'asks: Telephone');
  expect(code).toBe(1);
  expect(out).toMatch(
    /forms\/help\.yaml:\d+ .*asks names no question .* FirstName, LastName, Email, Phone, Subject, Message/,
  );
});

test('check notes that reCAPTCHA breaks what the privacy notice promises', async () => {
  const keys = { RECAPTCHA_SITE_KEY: 'site', RECAPTCHA_SECRET_KEY: 'secret' };
  const withGoogle = await awhina(['check'], { ...keys, PUBLIC_URL: 'https://www.kowhai.example' });
  expect(withGoogle.out).toContain('reCAPTCHA is in use');
  expect((await awhina(['check'])).out).not.toContain('reCAPTCHA');
});

test('check notes that visitors behind an unknown web server would all seem to be one', async () => {
  const site = { PUBLIC_URL: 'https://www.kowhai.example' };
  expect((await awhina(['check'], site)).out).toContain('Note: TRUST_PROXY is not set');
  expect((await awhina(['check'], { ...site, TRUST_PROXY: '127.0.0.1' })).out).not.toContain('TRUST_PROXY');
  // On this machine alone there is nobody in front.
  expect((await awhina(['check'])).out).not.toContain('TRUST_PROXY');
});
