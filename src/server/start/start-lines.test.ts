import { expect, test } from 'vitest';
import { shippedContent, stillContent } from '../../../test/support/forms.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { translatedContent } from '../../../test/support/translated-content.ts';
import { describePictures } from '../photos/create-photos.ts';
import { defaultLibrary } from '../photos/library.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import { generateKeyPair } from '../submissions/seal.ts';
import { describeStart } from './start-lines.ts';

const describe = (changes: Partial<Settings>, content = shippedContent) =>
  describeStart({
    settings: { ...readSettings({}), file: undefined, credentials: [], ...changes },
    port: 3000,
    mailFolder: temporaryFolder(),
    content: stillContent(content),
    store: { description: 'SQLite' },
    transport: { description: 'files' },
    botCheck: { description: 'ALTCHA' },
    photos: { description: '12 built in' },
  });

test('the start says whether answers are sealed, and to how many keys', async () => {
  const { recipient } = await generateKeyPair();
  expect(await describe({})).toMatch(/^ {2}answers {4}not sealed: SEAL_TO is not set$/m);
  expect(await describe({ sealTo: [recipient] })).toMatch(/^ {2}answers {4}sealed to 1 key$/m);
  expect(await describe({ sealTo: [recipient, recipient] })).toMatch(/^ {2}answers {4}sealed to 2 keys$/m);
});

test('the start names the sources of the settings, and no value', async () => {
  expect(await describe({})).toMatch(/^ {2}settings {3}the environment alone$/m);
  expect(await describe({ file: '/etc/awhina/awhina.env', credentials: ['SMTP_URL'] })).toMatch(
    /^ {2}settings {3}\/etc\/awhina\/awhina\.env, and SMTP_URL from credentials$/m,
  );
});

test('the start says that the certificate in SMTP_CA has expired', async () => {
  const mail = { ...readSettings({}).mail, caExpiresAt: new Date(0) };
  expect(await describe({ mail })).toContain('The certificate in SMTP_CA ended on');
});

test('the start says if nobody else would hear of a request that nobody sees', async () => {
  const mail = {
    SMTP_URL: 'smtp://127.0.0.1:25',
    MAIL_FROM: 'a@trust.example',
    MAIL_TO_HELP: 'b@trust.example',
  };
  const say = (more: Record<string, string>) =>
    describe(readSettings({ ...mail, MAIL_TO_CONTACT: 'B@trust.example', ...more }));
  const sentence = 'If nobody on your team sees a request, nobody else hears of it.';
  expect(await say({})).toContain(sentence);
  expect(await say({ ALERT_URL: 'https://alerts.example/topic' })).toContain(
    'nobody else hears of it but ALERT_URL',
  );
  expect(await say({ MAIL_TO_ESCALATE: 'b@trust.example' })).toContain(sentence);
  for (const more of [
    { MAIL_TO_ESCALATE: 'manager@elsewhere.example' },
    { MAIL_TO_CONTACT: 'office@trust.example' },
    { REMINDERS: 'off' },
  ])
    expect(await say(more)).not.toContain('If nobody on your team');
});

test('a trust’s own pictures are not called built in', () => {
  expect(describePictures([{ folder: '/etc/awhina/content/photos' }])).toBe('1 of your own');
  expect(describePictures([{ folder: defaultLibrary }, { folder: defaultLibrary }])).toBe('2 built in');
  expect(describePictures([])).toBe('none listed');
});

test('the start names the languages, those that are shown for a preview, and a preview without a file', async () => {
  expect(await describe({}, { ...translatedContent, languages: [] })).toMatch(/^ {2}languages {2}en-NZ$/m);
  const text = await describe({ previewLanguages: ['mi', 'sm'] }, translatedContent);
  expect(text).toMatch(/^ {2}languages {2}en-NZ, ar-XB, en-XA, mi \(for a preview\)$/m);
  expect(text).toContain('PREVIEW_LANGUAGES names a language without a file that can be used: sm.po in ');
  expect(await describe({ previewLanguages: ['mi'] }, translatedContent)).not.toContain('PREVIEW_LANGUAGES');
});

test('the start says that MAIL_TO_ESCALATE names only mailboxes of MAIL_TO_HELP', async () => {
  const { mail } = readSettings({});
  const to = { ...mail.to, help: ['help@trust.example', 'team@trust.example'] };
  const start = (...escalateTo: string[]) => describe({ mail: { ...mail, to, escalateTo } });
  const told = 'MAIL_TO_ESCALATE is in MAIL_TO_HELP too';
  expect(await start('HELP@trust.example')).toContain(told);
  expect(await start('help@trust.example', 'team@trust.example')).toContain(told);
  expect(await start('help@trust.example', 'chair@elsewhere.example')).not.toContain(told);
  expect(await start()).not.toContain(told);
});

test('the start says which languages visitors no longer see', async () => {
  const languages = translatedContent.languages.map((one) => ({ ...one, isWithdrawn: one.tag !== 'mi' }));
  expect(await describe({}, { ...translatedContent, languages })).toContain(
    'VISITORS NO LONGER SEE: العربية, Åççéñţš. awhina check says why.',
  );
  expect(await describe({}, translatedContent)).not.toContain('VISITORS');
});
