import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { awhina, awhinaShared } from './support/command.ts';
import { writePseudoLanguage } from './support/pseudo-language.ts';
import { mailTo } from './support/scripted-smtp.ts';
import { storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';

/** In a folder of its own, whatever whoever tests has in theirs. */
const check = (env: Record<string, string> = {}) =>
  awhinaShared(['check'], { DATA_DIR: temporaryFolder(), ...env });

/** The shipped content with something else in its help form. */
async function checkHelp(what: string, instead: string, env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  cpSync('content', folder, { recursive: true });
  const file = join(folder, 'forms/help.yaml');
  const help = readFileSync(file, 'utf8');
  expect(help).toContain(what);
  writeFileSync(file, help.replace(what, instead));
  return check({ CONTENT_DIR: folder, ...env });
}

test('check finds every problem in the content and the settings at once', async () => {
  expect((await check()).out).toMatch(/^The content and the settings are right\.\n/);
  const { code, out } = await checkHelp('type: boolean', 'type: tickbox', {
    PORT: 'three',
    SEAL_TO: 'age1nonsense',
    SMTP_URL: 'smtp://',
  });
  expect(code).toBe(1);
  expect(out).toMatch(/forms\/help\.yaml:\d+/);
  expect(out).toContain('PORT must be');
  expect(out).toContain('SEAL_TO must be');
  expect(out).toContain('SMTP_URL must name one server');
  expect(out).toContain('MAIL_TO_HELP must be set');
});

const smtp = { ...mailTo(25), SMTP_URL: 'smtp://mail.trust.example' };

test('check says what to do with mail that was written to a folder', async () => {
  const dataDir = temporaryFolder();
  const notes = async (env: Record<string, string>) => (await check({ DATA_DIR: dataDir, ...env })).out;
  mkdirSync(join(dataDir, 'mail'));
  writeFileSync(join(dataDir, 'mail', 'notice-2026-11-15-15-10.eml'), '');
  expect(await notes(smtp)).not.toContain('nobody has read');
  writeFileSync(join(dataDir, 'mail', 'HK7W-3RQX.eml'), '');
  expect(await notes(smtp)).toContain(`1 mail that nobody has read lies in ${dataDir}/mail.`);
  expect(await notes(smtp)).toContain('./awhina deliveries retry --all');
  expect(await notes({})).toContain('1 mail that nobody has read lies');
});

const complete = {
  ...smtp,
  PUBLIC_URL: 'https://www.kowhai.example',
  TRUST_PROXY: '127.0.0.1',
  MAIL_TO_ESCALATE: 'chair@elsewhere.example',
  MAIL_BOUNCES_TO: 'it@trust.example',
};
const unread = 'Nobody would notice a mailbox that no person reads, because';

test.each<[string, Record<string, string>, string]>([
  [
    'reCAPTCHA, which breaks what the privacy notice promises',
    { RECAPTCHA_SITE_KEY: 'site', RECAPTCHA_SECRET_KEY: 'secret' },
    'reCAPTCHA is in use',
  ],
  ['a web server behind which all visitors seem to be one', { TRUST_PROXY: '' }, 'TRUST_PROXY is not set'],
  [
    'a MAIL_TO_ESCALATE that names nobody else',
    { MAIL_TO_ESCALATE: 'help@trust.example' },
    'MAIL_TO_ESCALATE is in MAIL_TO_HELP too: name somebody else, who then hears of a request',
  ],
  [
    'that nobody else would hear of a request',
    { MAIL_TO_ESCALATE: '', MAIL_TO_CONTACT: 'help@trust.example' },
    'If nobody on your team sees a request, nobody else hears of it. Set MAIL_TO_ESCALATE',
  ],
  ['links that cannot be made', { PUBLIC_URL: '' }, `${unread} PUBLIC_URL is not set.`],
  ['a letter that nobody gets', { WEEKLY_LETTER: 'off' }, `${unread} WEEKLY_LETTER is off.`],
  [
    'who must read reports of failed mail',
    { MAIL_BOUNCES_TO: '' },
    'go to website@trust.example (MAIL_BOUNCES_TO, otherwise MAIL_FROM). Somebody must',
  ],
])('check notes %s, once', async (_what, changes, note) => {
  expect((await check({ ...complete, ...changes })).out.split(note)).toHaveLength(2);
  expect((await check(complete)).out).not.toContain(note);
});

test('check sees requests in a folder that is used no longer', async () => {
  const folder = temporaryFolder();
  const store = await openSqliteStore(join(folder, 'data'));
  await storeSubmission(store, { receivedAt: new Date() });
  await store.close();
  const check = (more: Record<string, string>) =>
    awhina(['check'], { CONTENT_DIR: resolve('content'), ...more }, folder);
  const { out } = await check({ DATA_DIR: temporaryFolder() });
  const path = join(folder, 'data/awhina.sqlite');
  expect(out).toContain(
    `${path} may hold 1 request that no mail server has accepted, and DATA_DIR is another folder.`,
  );
  expect((await check({})).out).not.toContain('another folder');
});

test('check says how each choice that tells us something is understood', async () => {
  const { out } = await checkHelp(
    '    - { label: Text message, means: text, asks: Phone }\n',
    '    - Text message\n',
  );
  expect(out).toContain(`
How the choices are understood:
  Feeling unsafe at home: the mail says URGENT, and goes out first
  Phone call: a safe way
  Text message: shown above the mail word for word, and no reply goes to the visitor
  Email: a safe way; a reply goes to the visitor
  Please don't contact me, I will contact you: the mail says DO NOT CONTACT THIS PERSON
  Mornings: when it is safe to call or text: the mail says so first
  Afternoons: when it is safe to call or text: the mail says so first
  Evenings: when it is safe to call or text: the mail says so first
  Weekends: when it is safe to call or text: the mail says so first
  School days, 9 am to 3 pm: when it is safe to call or text: the mail says so first
  Other safe times: the mail says it above the number
  Do not leave a message: the mail says to leave no message, and nothing about us to whoever answers
  Do not say who you are: the mail says to leave no message, and nothing about us to whoever answers
  I am asking for someone else: the mail says so at the top
`);
  expect(out).toContain('Note: forms: nobody has said what these choices mean: Text message.');
});

test.each([
  [
    'a help form to which staff could never reply',
    ['means: email', 'means: post'],
    0,
    'no choice means email, so staff can never reply to a request by email',
  ],
  [
    'a choice that needs an answer the form does not ask for',
    ['asks: Phone', 'asks: Telephone'],
    1,
    /forms\/help\.yaml:\d+ .*asks names no question .* FirstName, Email, Phone, OtherTimes, LastName, Subject, Message/,
  ],
  [
    'a meaning that is not known, for which no request would be urgent',
    ['means: urgent }', 'means: urgnt }'],
    1,
    /^The content is not right:\n {2}forms\/help\.yaml:\d+ {2}#1 › choices › #1 › means: urgnt is not known: did you mean urgent\?\n/,
  ],
] as const)('check finds %s', async (_what, [was, became], code, note) => {
  const checked = await checkHelp(was, became);
  expect(checked.code).toBe(code);
  expect(checked.out).toMatch(note);
});

test('check notes that the trust’s own words on privacy say less than the server does', async () => {
  const folder = temporaryFolder();
  cpSync('content', folder, { recursive: true });
  writeFileSync(
    join(folder, 'site.yaml'),
    `${readFileSync(join(folder, 'site.yaml'), 'utf8')}\nprivacy:\n  kept: We delete it after {retentionDays} days.\n`,
  );
  const { out, code } = await check({ CONTENT_DIR: folder });
  expect(code).toBe(0);
  expect(out).toContain('privacy › kept does not say all that happens');
  expect(out).toContain('or 90 days after it came in if nobody has seen it. Write {deleted}');
  expect((await check()).out).not.toContain('{deleted}');
});

test('check names what is still the example, and refuses it where the site is public', async () => {
  const trying = await check({ PUBLIC_URL: 'http://localhost:3000' });
  expect(trying.code).toBe(0);
  expect(trying.out).toMatch(
    /Note: site\.yaml:\d+ {2}email: “kiaora@kowhai\.example” is the example's: put your own/,
  );
  expect(trying.out).toMatch(
    /Note: site\.yaml:\d+ {2}cover › text: says that the website is under construction/,
  );
  const open = await check({ PUBLIC_URL: 'https://www.trust.org.nz' });
  expect(open.code).toBe(1);
  expect(open.out).toMatch(
    /^The content is not right:\n {2}site\.yaml:\d+ {2}organisation: “Kōwhai Family Support Centre” is the example's/,
  );
});

test('check names the words that are ours and could be reworded, and the lines that mean nothing any more', async () => {
  const shipped = await check();
  expect(shipped.out).toContain(
    'these words are our defaults, and you can write your own: site.yaml: closedText, discreetTitle,',
  );
  expect(shipped.out).toContain('leave (7 of its words)');
  expect(shipped.out).not.toContain('no longer used');
  const { code, out } = await check({ CONTENT_DIR: 'test/older-content/with-a-retired-name' });
  expect(code).toBe(0);
  expect(out).toMatch(/Note: site\.yaml:\d+ form › notReady: is no longer used; you can delete the line\./);
  expect(out).toContain('privacy › more, privacy › complaint, privacy › others');
  expect(out).toMatch(/; helplines\.yaml; forms\/help\.yaml; forms\/contact\.yaml\. They are in /);
});

test('check says which languages are offered or why not, and names mistakes in a translation with their line', async () => {
  const folder = temporaryFolder();
  cpSync('content', folder, { recursive: true });
  await writePseudoLanguage(folder, 'en-XA', {
    change: ({ context }, translation) => (context === 'site:promises#1' ? null : { translation }),
  });
  await writePseudoLanguage(folder, 'ar-XB', {
    change: ({ context }, translation) =>
      context === 'helplines:call' ? { translation: '{choice}' } : { translation },
  });
  writeFileSync(join(folder, 'languages/mi.po'), 'no PO file');
  const { code, out } = await check({ CONTENT_DIR: folder });
  // The site works, and shows the original's words.
  expect(code).toBe(0);
  expect(out).toMatch(
    /^VISITORS NO LONGER SEE: العربية\n {2}ar-XB: 1 of \d+ sentences .* have no translation\n\nThe content and the settings are right\.\n\nNot right in the translations, and not shown:\n/,
  );
  expect(out).toMatch(
    /^ {2}languages\/ar-XB\.po:\d+ {2}“Call \{number\}” \(helplines:call\) lacks \{number\}/m,
  );
  expect(out).toMatch(/^ {2}languages\/mi\.po:1 {2}cannot be read as a PO file/m);
  expect(out).toMatch(/\nLanguages \(awhina languages says more\):\n/);
  expect(out).toMatch(/^ {2}العربية \(ar-XB\): not offered: 1 of \d+ sentences .* have no translation$/m);
  expect(out).toMatch(/^ {2}Åççéñţš \(en-XA\): offered, with 1 of \d+ sentences in English$/m);
  expect(out).toMatch(/^ {2}mi \(mi\): not offered: the file cannot be read as a PO file/m);
});

test('a public site is not refused for the example’s translations, but a translation of its own words must not have them', async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'site.yaml'),
    'organisation: Sample Trust\nemail: kiaora@trust.org.nz\naddress: 1 Our Street\n',
  );
  cpSync('content/languages', join(folder, 'languages'), { recursive: true });
  await writePseudoLanguage(folder, 'en-XA', {
    change: ({ context }, translation) =>
      context === 'site:organisation'
        ? { translation: '{mi:Kōwhai} Family Support Centre' }
        : { translation },
  });
  const { code, out } = await check({ CONTENT_DIR: folder, PUBLIC_URL: 'https://www.trust.org.nz' });
  expect(code).toBe(0);
  expect(out).toMatch(
    /^ {2}languages\/en-XA\.po:\d+ {2}“Sample Trust” .* has “Kōwhai Family Support Centre”, which is the example's/m,
  );
  expect(out.match(/the example's/g)).toHaveLength(1);
});
