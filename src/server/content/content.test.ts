import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyContent, problemsOf } from '../../../test/support/content-mistakes.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { fieldTypeNames } from '../../model/server-field-types.ts';
import { readContent } from './content.ts';
import { describeLastingFault, openContent } from './content-source.ts';

/** A busy machine may take longer than the usual second. */
const patiently = { timeout: 20_000 };

async function edit(folder: string, file: string, from: string | RegExp, to: string): Promise<void> {
  const path = join(folder, file);
  const before = await readFile(path, 'utf8');
  const after = before.replace(from, to);
  expect(after, `${file} has no ${from}`).not.toBe(before);
  await writeFile(path, after);
}

test('the shipped content is correct', async () => {
  const { site, forms } = await readContent('content');
  expect(site.organisation).toBe('{mi:Kōwhai} Family Support Centre');
  expect(forms.help.definition.map(({ key }) => key)).toEqual([
    'SupportNeeded',
    'FirstName',
    'SafeContact',
    'Email',
    'Phone',
    'CallTimes',
    'OtherTimes',
    'IfSomeoneAnswers',
    'LastName',
    'ForSomeoneElse',
    'Subject',
    'Message',
  ]);
});

test('the description of a question may be empty or left out', async () => {
  const folder = await copyContent();
  await edit(folder, 'forms/contact.yaml', /^ {2}description: The name you would.*\n/m, '');
  await edit(folder, 'forms/contact.yaml', '  description: You do not have to tell us', "  description: ''");
  await edit(folder, 'forms/contact.yaml', '  description: Where we can reply to you', '  description:');
  const { forms } = await readContent(folder);
  const described = new Map(forms.contact.definition.map(({ key, description }) => [key, description]));
  expect(['FirstName', 'LastName', 'Email', 'Subject'].map((key) => described.get(key))).toEqual([
    '',
    '',
    '',
    'What it is about, in a few words',
  ]);
});

test('all mistakes are named at once, each with its file, its line and what was expected', async () => {
  const folder = await copyContent();
  await edit(folder, 'site.yaml', /^email: .*$/m, 'email: not an address');
  await edit(folder, 'site.yaml', /^sectionLinks: .*$/m, 'sectionLink: []');
  await edit(folder, 'forms/help.yaml', 'type: textarea', 'type: essay');
  await edit(folder, 'forms/contact.yaml', 'required: true', 'required: sometimes');
  const lineIn = async (file: string, text: string) =>
    (await readFile(join(folder, file), 'utf8')).split('\n').findIndex((line) => line.includes(text)) + 1;

  expect(await problemsOf(folder)).toEqual([
    `  site.yaml:${await lineIn('site.yaml', 'not an address')}  email: expected one e-mail address`,
    `  site.yaml:${await lineIn('site.yaml', 'sectionLink:')}  sectionLink: is not known here: is sectionLinks meant?`,
    `  forms/help.yaml:${await lineIn('forms/help.yaml', 'essay')}  #12 › type: expected a type: one of ${fieldTypeNames.join(', ')}`,
    `  forms/contact.yaml:${await lineIn('forms/contact.yaml', 'sometimes')}  #1 › required: expected true or false`,
  ]);
});

test('the trust may have a number and hours, or neither; a number without quotes would lose its noughts', async () => {
  const folder = await copyContent();
  await edit(folder, 'site.yaml', /^phone: .*$/m, 'phone: 0800000000');
  expect(await problemsOf(folder)).toEqual([
    expect.stringMatching(/^ {2}site\.yaml:\d+ {2}phone: expected a number in quotes/),
  ]);
  await edit(folder, 'site.yaml', /^phone: .*\nhours: .*\n/m, '');
  const { site } = await readContent(folder);
  expect([site.phone, site.hours]).toEqual([undefined, undefined]);
});

test('a charity’s number is shown with the name of the trust, and must look like one', async () => {
  const name = '{mi:Kōwhai} Family Support Centre';
  const folder = await copyContent();
  expect((await readContent(folder)).site.owner).toBe(name);
  await edit(folder, 'site.yaml', /^/, 'charityNumber: CC12345\n');
  expect((await readContent(folder)).site.owner).toBe(`${name}. Registered charity CC12345`);
  await edit(folder, 'site.yaml', 'CC12345', '12345');
  await expect(readContent(folder)).rejects.toThrow('charityNumber: expected CC and a number');
});

test('a file that is not YAML is named with the line, and a missing file by its name', async () => {
  const folder = await copyContent();
  await writeFile(join(folder, 'forms/help.yaml'), '- key: A\n  type: "text\n');
  await rm(join(folder, 'site.yaml'));
  const problems = await problemsOf(folder);
  expect(problems[0]).toBe('  site.yaml  is missing');
  expect(problems[1]).toBe('  forms/help.yaml:2  opens with " and never closes: put another " at its end');
});

test('a picture that cannot be read is a mistake', async () => {
  const folder = await copyContent();
  const picture = (await readFile(join(folder, 'photos/index.yaml'), 'utf8')).match(/file: (\S+)/)?.[1] ?? '';
  await rm(join(folder, 'photos', picture));
  await mkdir(join(folder, 'photos', picture));
  expect(await problemsOf(folder)).toEqual([`  photos/${picture}  is a folder, and should be a picture`]);
});

test('YAML that would grow without bounds is a mistake too', async () => {
  const folder = await copyContent();
  const grown = Array.from({ length: 9 }, (_, n) => `- &a${n + 1} [${`*a${n}, `.repeat(9)}]`);
  await writeFile(join(folder, 'forms/help.yaml'), ['- &a0 [x, x]', ...grown].join('\n'));
  expect(await problemsOf(folder)).toEqual([
    '  forms/help.yaml  repeats itself without end: take the words that begin with * out',
  ]);
});

test('two questions cannot share a key, nor a question offer a choice twice', async () => {
  const folder = await copyContent();
  await edit(folder, 'forms/help.yaml', '- Housing', '- Counselling');
  expect((await problemsOf(folder)).join('\n')).toContain('has the same choice twice');
  const other = await copyContent();
  await edit(other, 'forms/help.yaml', 'key: LastName', 'key: FirstName');
  expect((await problemsOf(other)).join('\n')).toContain('the key FirstName is used twice');
});

/** Opens the content for one test, and notes what it reports. */
async function follow(folder: string) {
  const reports: string[] = [];
  const source = await openContent(folder, {
    changed: () => reports.push('changed'),
    broken: (error) => reports.push(error.message),
  });
  onTestFinished(() => source.close());
  return { source, reports };
}

test('a changed file is served; a broken change is reported and the last good content stays', async () => {
  const folder = await copyContent();
  const { source, reports } = await follow(folder);
  const seen: string[] = [];
  source.onChange((content) => void seen.push(content.site.email));

  await edit(folder, 'site.yaml', /^email: .*$/m, 'email: new@kowhai.example');
  await expect.poll(() => source.current().site.email, patiently).toBe('new@kowhai.example');
  await edit(folder, 'site.yaml', /^email: .*$/m, 'email: broken');
  await expect.poll(() => reports.at(-1), patiently).toContain('expected one e-mail address');
  expect(source.current().site.email).toBe('new@kowhai.example');
  expect(seen).toEqual(['new@kowhai.example']);
  await edit(folder, 'site.yaml', /^email: .*$/m, 'email: newer@kowhai.example');
  await expect.poll(() => source.current().site.email, patiently).toBe('newer@kowhai.example');
});

test('staff are told at once of a mistake found at the start, and of a later one only if it lasts', async () => {
  const folder = await copyContent();
  const { source } = await follow(folder);
  expect(describeLastingFault(source.fault())).toBeNull();
  await edit(folder, 'site.yaml', /^email: .*$/m, 'email: broken');
  await expect.poll(() => source.fault(), patiently).not.toBeNull();
  const fault = source.fault() ?? expect.unreachable('there should be a fault');
  expect(describeLastingFault(fault)).toBeNull();
  expect(describeLastingFault(fault, fault.since + 15 * 60_000)).toMatch(/is shown: site\.yaml:\d+ email: /);
  expect(describeLastingFault({ ...fault, atStart: true })).toMatch(/is shown: site\.yaml:\d+ email: /);
});

test('a listener that fails is reported, and does not end the process', async () => {
  const folder = await copyContent();
  const { source, reports } = await follow(folder);
  source.onChange(() => Promise.reject(new Error('no room')));
  await edit(folder, 'site.yaml', /^email: .*$/m, 'email: new@kowhai.example');
  await expect
    .poll(() => reports, patiently)
    .toEqual([expect.stringContaining('could not be taken up: Error: no room')]);
});

test('a content folder that is replaced as a whole is followed like the first', async () => {
  const parent = temporaryFolder();
  const [folder, next] = [join(parent, 'content'), join(parent, 'next')];
  await cp('content', folder, { recursive: true });
  const { source, reports } = await follow(folder);
  const write = (into: string, email: string) => edit(into, 'site.yaml', /^email: .*$/m, `email: ${email}`);
  const email = () => source.current().site.email;

  for (const round of [1, 2]) {
    await cp('content', next, { recursive: true });
    await write(next, `moved${round}@kowhai.example`);
    await rename(folder, join(parent, `old${round}`));
    await rename(next, folder);
    await expect.poll(email, patiently).toBe(`moved${round}@kowhai.example`);
    await write(folder, `edited${round}@kowhai.example`);
    await expect.poll(email, patiently).toBe(`edited${round}@kowhai.example`);
  }
  await rm(folder, { recursive: true });
  await expect.poll(() => reports.join(), patiently).toContain('is not there');
  expect(email()).toBe('edited2@kowhai.example');
  await cp('content', folder, { recursive: true });
  await expect.poll(email, patiently).toBe((await readContent('content')).site.email);
  await write(folder, 'last@kowhai.example');
  await expect.poll(email, patiently).toBe('last@kowhai.example');
});

test('which questions are counted is not part of the form that visitors get', async () => {
  const { forms, ...shipped } = await readContent('content');
  expect(forms.help.counted).toEqual(['SupportNeeded', 'SafeContact', 'ForSomeoneElse']);
  expect(forms.contact.counted).toEqual([]);
  const folder = await copyContent();
  await edit(folder, 'forms/help.yaml', /^ {2}counted: true\n/gm, '');
  const uncounted = await readContent(folder);
  expect(uncounted.forms.help.counted).toEqual([]);
  expect(uncounted.forms.help.definition).toEqual(forms.help.definition);
  expect(uncounted.forms.help.hash).toBe(forms.help.hash);
  expect(JSON.stringify(shipped.site)).not.toContain('ounted');
});

test('the days after which staff are reminded are not among the words of the pages', async () => {
  const folder = await copyContent();
  await edit(folder, 'site.yaml', '  contact: 2', '  contact: 5');
  const { site, remindAfter, sentences } = await readContent(folder);
  expect(remindAfter).toEqual({ help: 1, contact: 5 });
  expect(JSON.stringify([site, sentences])).not.toContain('remindAfter');
  await edit(folder, 'site.yaml', '  contact: 5', '  contact: two days');
  await expect(readContent(folder)).rejects.toThrow(
    'remindAfter › contact: expected a whole number of working days, such as 1',
  );
});

test('sealed answers are counted only where the content says so', async () => {
  const folder = await copyContent();
  expect((await readContent(folder)).forms.help.countSealed).toBe(false);
  await edit(folder, 'site.yaml', 'discreetTitles: false', 'countSealed: true\ndiscreetTitles: false');
  const { site, forms } = await readContent(folder);
  expect([forms.help.countSealed, forms.contact.countSealed]).toEqual([true, true]);
  expect(site).not.toHaveProperty('countSealed');
});
