import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Document, parse, stringify } from 'yaml';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { type BadContent, readContent } from './content.ts';
import { defaults, defaultsFolder } from './defaults.ts';
import { merge } from './merge.ts';

const who = {
  organisation: 'Sample Trust',
  email: 'kiaora@sample.example',
  address: '1 Example Street, Sampletown',
};

async function read(files: Record<string, unknown>) {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'forms'));
  for (const [file, written] of Object.entries(files)) {
    await writeFile(join(folder, file), typeof written === 'string' ? written : stringify(written));
  }
  return readContent(folder);
}

const problemsWith = (files: Record<string, unknown>): Promise<string[]> =>
  read(files).then(
    () => [],
    (error: BadContent) => error.message.split('\n').slice(1),
  );

test('a site needs no more than the trust’s name, e-mail address and street address', async () => {
  const { site, helplines, forms, pictures, theme } = await read({ 'site.yaml': who });
  expect(site).toMatchObject({
    ...who,
    adminEmail: who.email,
    social: [],
    answerWithin: 'as soon as we can',
  });
  expect([site.phone, site.promises, theme]).toEqual([undefined, undefined, undefined]);
  expect(site.pages.help.breadcrumb).toBe('Get Help Form');
  const ours = parse((await readFile(`${defaultsFolder}/helplines.yaml`, 'utf8')).replaceAll('https://', ''));
  expect(helplines).toEqual(ours);
  expect(forms.help.definition.map(({ key }) => key)).toContain('SafeContact');
  expect(pictures.length).toBeGreaterThan(5);
});

test('the trust’s name and addresses have no default', async () => {
  expect(await problemsWith({ 'site.yaml': '# nothing yet\n' })).toEqual([
    '  site.yaml:1  organisation: is missing: expected words',
    '  site.yaml:1  email: is missing: expected one e-mail address',
    '  site.yaml:1  address: is missing: expected words',
  ]);
});

test('one reworded sentence leaves the others as they are; a list replaces the default list', async () => {
  const { site } = await read({
    'site.yaml': { ...who, form: { receipt: { help: { heading: 'Kia ora' } } }, promises: ['We are here.'] },
  });
  const ours = defaults['site.yaml'] as typeof site;
  expect(site.form.receipt.help).toEqual({ ...ours.form.receipt.help, heading: 'Kia ora' });
  expect(site.form.receipt.contact).toEqual(ours.form.receipt.contact);
  expect(site.promises).toEqual(['We are here.']);
});

test('the words of the receipt are read under their earlier names, sent and next', async () => {
  const receiptOf = async (form: object) => (await read({ 'site.yaml': { ...who, form } })).site.form.receipt;
  const sent = { help: { heading: 'Kia ora' } };
  const next = { heading: 'And then' };
  const ours = await receiptOf({});
  expect(await receiptOf({ sent, next })).toEqual(merge(ours, { ...sent, next }));
  expect(await receiptOf({ next })).toEqual(merge(ours, { next }));
  expect(await receiptOf({ next, receipt: sent })).toEqual(merge(ours, { ...sent, next }));
  expect(await receiptOf({ sent: null, next })).toEqual(merge(ours, { next }));
  expect(await receiptOf({ sent, receipt: null, next: null })).toEqual(merge(ours, sent));
  const source = (form: string) => ({ 'site.yaml': `${stringify(who)}form:\n${form}` });
  expect(await problemsWith(source('  next:\n    reach: Soon\n'))).toEqual([
    '  site.yaml:6  form › receipt › next › reach: must have {choices} in it: the ways somebody chose',
  ]);
  expect(await problemsWith(source('  sent: Thanks\n  next:\n    heading: Then\n'))).toHaveLength(2);
  expect(await problemsWith(source('  sent: {}\n  receipt: {}\n'))).toEqual([
    expect.stringContaining('form › sent: '),
  ]);
});

test('a receipt says how to change or stop a request: by your number where you have one', async () => {
  const changeOf = async (written: object) =>
    (await read({ 'site.yaml': { ...who, ...written } })).site.form.receipt.change;
  expect(await changeOf({ phone: '0800 000 000' })).toMatch(/change or stop .* call \{phone\}\./);
  const without = await changeOf({});
  expect(without).toMatch(/change or stop .* write to \{email\}, or come to \{address\}\./);
  expect(without).not.toContain('{phone}');
  expect(await changeOf({ form: { receipt: { change: 'Come in.' } } })).toBe('Come in.');
});

test('each form says which words mean that it has arrived: those of its own receipt, without a greeting', async () => {
  const beside = async (written: object) =>
    (await read({ 'site.yaml': { ...who, phone: '0800 000 000', ...written } })).site.alternativeContact;
  const { message, sent } = await beside({});
  expect(message.help).toMatch(/^Not sent yet\? It has reached us once you see “we have your request”\. /);
  expect(message.contact).toContain('“we have your message”');
  expect(message.help).toMatch(/press Send again, call \{phone\}, or write to \{email\}\.$/);
  expect(sent).not.toMatch(/Send|does not work|reached/);
  const headed = async (heading: string) =>
    /“(.*)”/.exec((await beside({ form: { receipt: { help: { heading } } } })).message.help)?.[1];
  expect(await headed('Thank you! We have it')).toBe('Thank you! We have it');
  expect(await headed('{mi:Kia ora} – it is here, {mi:e hoa}')).toBe('it is here, {mi:e hoa}');
  expect(await headed('{mi:Ngā mihi}')).toBe('{mi:Ngā mihi}');
  expect(await headed('{mi:Ngā mihi}!')).toBe('{mi:Ngā mihi}!');
});

test('a trust without a phone number gets words without {phone}, unless it has its own', async () => {
  const beside = async (written: object) =>
    (await read({ 'site.yaml': { ...who, ...written } })).site.alternativeContact.message.help;
  expect(await beside({})).toMatch(/press Send again, or write to \{email\}\.$/);
  const message = 'Write to {email}.';
  for (const phone of [undefined, '0800 000 000'])
    expect(await beside({ phone, alternativeContact: { message } })).toBe(message);
});

test('an empty file, and a block whose lines are all commented out, count as absent', async () => {
  const { site, helplines, forms } = await read({
    'site.yaml': `${stringify(who)}shell:\n#  menu: More\nphone:\n`,
    'helplines.yaml': '# checked: 2026-03-31\n',
    'forms/help.yaml': '',
  });
  expect(site.shell.menu).toBe('Menu');
  expect(site.phone).toBeUndefined();
  expect(helplines.lines.length).toBeGreaterThan(2);
  expect(forms.help.definition.length).toBeGreaterThan(5);
});

test('an unknown name is a mistake with its line, also in a block; so is one value where lines belong', async () => {
  const written = `${stringify(who)}form:\n  sned: Send it\nshell: Menu\nhelp: me\n`;
  expect(await problemsWith({ 'site.yaml': written, 'helplines.yaml': 'call: Ring us\n' })).toEqual([
    '  site.yaml:5  form › sned: is not known here: is send meant?',
    '  site.yaml:6  shell: expected lines of its own below it, each two spaces further right',
    '  site.yaml:7  help: is not a word that belongs here',
    '  helplines.yaml:1  call: must have {number} in it: where the number goes',
  ]);
});

test('a trust may have no social links, one, or several', async () => {
  const link = (name: string) => ({ name, url: `https://${name.toLowerCase()}.example/us` });
  const social = async (written: unknown) =>
    (await read({ 'site.yaml': { ...who, social: written } })).site.social;
  expect(await social(link('Facebook'))).toEqual([link('Facebook')]);
  expect(await social([link('Facebook'), link('Mastodon')])).toEqual([link('Facebook'), link('Mastodon')]);
  expect(await social(undefined)).toEqual([]);
  const wrong = `${stringify(who)}social:\n  name: Facebook\n  url: facebook\n`;
  expect(await problemsWith({ 'site.yaml': wrong })).toEqual([
    '  site.yaml:6  social › url: expected an address that begins with https://',
  ]);
});

test('the defaults that a trust left are listed by name: a block as a whole, else one by one', async () => {
  const { shell } = defaults['site.yaml'] as { shell: object };
  const { defaultsUsed } = await read({ 'site.yaml': { ...who, shell: { ...shell, menu: null } } });
  const names = defaultsUsed.find(({ file }) => file === 'site.yaml')?.names ?? [];
  expect(names).toContain('privacy');
  expect(names).toContain('shell › menu');
  expect(names).not.toContain('shell › skip');
  // Switches are no words.
  expect(names).not.toContain('shieldedSite');
  expect(defaultsUsed.map(({ file }) => file)).toContain('forms/help.yaml');
});

const older = join(import.meta.dirname, '../../../test/older-content');

test.each(await readdir(older))('content of an older version still works: %s', async (name) => {
  const { site, forms, retired } = await readContent(join(older, name));
  expect(site.pages.help.breadcrumb).toBe('Get Help Form');
  expect(forms.help.definition.length).toBeGreaterThan(5);
  const names = ['notReady', 'incomplete', 'unavailable', 'tryAgain'];
  const source = readFileSync(join(older, name, 'site.yaml'), 'utf8');
  expect(retired.map(({ file, message }) => `${file} ${message}`)).toEqual(
    names
      .filter((one) => new RegExp(`^  ${one}: `, 'm').test(source))
      .map((one) => `site.yaml form › ${one}: is no longer used`),
  );
});

/** Every path to a value that stands below names alone. */
function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  return [
    ...(path.length > 0 ? [path] : []),
    ...Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...path, name])),
  ];
}

test('content works without any single default sentence, so content of every earlier version does', async () => {
  const full = merge(defaults['site.yaml'], who);
  const failed: string[] = [];
  for (const path of pathsOf(defaults['site.yaml'])) {
    const document = new Document(full);
    document.deleteIn(path);
    const problems = await problemsWith({ 'site.yaml': document.toString() });
    if (problems.length > 0) failed.push(`${path.join('.')}: ${problems}`);
  }
  expect(failed).toEqual([]);
});
