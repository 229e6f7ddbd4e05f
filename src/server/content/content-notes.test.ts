import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { describeProblem, readContent } from './content.ts';
import { findContentNotes } from './content-notes.ts';
import { defaults } from './defaults.ts';
import { isForTests, refuseExamples } from './example-trust.ts';
import { findOlderHelplines } from './older-content-notes.ts';

type Edit = [file: string, was: string | RegExp, became: string];

/** What ships, with nothing of the example left in it. */
const ownWords: Edit[] = [
  ['site.yaml', /^organisation: .*/m, 'organisation: Sample Trust'],
  ['site.yaml', /^email: .*/m, 'email: kiaora@sample-trust.org.nz'],
  ['site.yaml', /^adminEmail: .*/m, 'adminEmail: office@sample-trust.org.nz'],
  ['site.yaml', /^address: .*/m, 'address: 1 Sample Road'],
  ['site.yaml', /^# privacyChecked: .*/m, 'privacyChecked: 2026-12-01'],
  ['site.yaml', /^phone: .*/m, 'phone: "0800 111 111"'],
  ['site.yaml', 'https://social.example', 'https://social.sample-trust.org.nz'],
  ['site.yaml', ' - Our website is under construction - Coming Soon...', ''],
  ['site.yaml', 'leave:\n', 'leave:\n  hint: or press Shift three times\n'],
  ['site.yaml', 'discreetTitles: false\n', 'discreetTitles: false\ndiscreetTitle: Welcome\n'],
];

async function write(edits: Edit[]): Promise<string> {
  const folder = temporaryFolder();
  await cp('content', folder, { recursive: true, filter: (path) => !path.endsWith('rendered') });
  for (const [file, was, became] of edits) {
    const path = join(folder, file);
    const before = await readFile(path, 'utf8');
    expect(before.search(was), `${file} has no ${was}`).toBeGreaterThanOrEqual(0);
    await writeFile(path, before.replace(was, became));
  }
  return folder;
}

const notesOf = async (folder: string) =>
  (await findContentNotes(await readContent(folder))).map((note) => describeProblem(note, '  '));
const notesAfter = async (...edits: Edit[]) => notesOf(await write([...ownWords, ...edits]));

test('every name and address of the example is noted, and that the site is under construction', async () => {
  const notes = await notesOf('content');
  expect(notes.map((note) => note.replace(/^site\.yaml:\d+ {2}/, ''))).toEqual([
    "organisation: “Kōwhai Family Support Centre” is the example's: put your own in its place",
    "email: “kiaora@kowhai.example” is the example's: put your own in its place",
    "adminEmail: “admin@kowhai.example” is the example's: put your own in its place",
    "address: “12 Example Street” is the example's: put your own in its place",
    "phone: “0800 000 000” is the example's: put your own in its place",
    "social › url: “https://social.example” is the example's: put your own in its place",
    'cover › text: says that the website is under construction: is it still?',
  ]);
});

test('a trust with its own words gets no note', async () => {
  expect(await notesAfter()).toEqual([]);
});

test('a name in braces that is not filled in is noted, with the name that was meant', async () => {
  const [note, ...more] = await notesAfter([
    'site.yaml',
    '{organisation} for help',
    '{organization} for help',
  ]);
  expect(note).toMatch(
    /^site\.yaml:\d+ {2}\{organization\} is shown as it stands: is \{organisation\} meant\?$/,
  );
  expect(more).toEqual([]);
  const [other] = await notesAfter(['site.yaml', 'Our help is free', 'Our {choices} are free']);
  expect(other).toMatch(
    /\{choices\} is shown as it stands: what can be filled in here is \{organisation\}, /,
  );
  const [question] = await notesAfter([
    'forms/help.yaml',
    'Choose every safe way',
    'With {organisation}, choose every safe way',
  ]);
  expect(question).toMatch(
    /^forms\/help\.yaml:\d+ {2}\{organisation\} is shown as it stands: nothing is filled in/,
  );
});

test('a mention of a phone number is noted where there is none', async () => {
  const [note] = await notesAfter(
    ['site.yaml', /^phone: .*\n/m, ''],
    ['site.yaml', 'Our help is free', 'Ringing {phone} is free'],
  );
  expect(note).toMatch(/\{phone\} is shown as it stands: site\.yaml has no phone$/);
});

test('words on privacy that no lawyer has read are noted, with the line of a promise the law may break', async () => {
  const never: Edit = ['site.yaml', /^privacyChecked: .*/m, 'privacyChecked: never'];
  const own = (words: string): Edit => ['site.yaml', 'form:\n', `privacy:\n  receives: ${words}\n\nform:\n`];
  const [note, ...more] = await notesAfter(never);
  expect(note).toMatch(/^site\.yaml {2}By sections 20 and 24 .* put the day at privacyChecked$/);
  expect(more).toEqual([]);
  const old = own('We do not pass it on unless you say so, or someone is in danger.');
  expect(await notesAfter(never, old)).toEqual([
    expect.stringMatching(/^site\.yaml:\d+ {2}promises not to share .* put the day at privacyChecked$/),
  ]);
  expect(await notesAfter(old)).toEqual([]);
  expect(await notesAfter(never, own('We ask you before we share it.'))).toEqual([note]);
});

test('a comment sign that cuts a sentence off is noted; one behind a single word, or in quotes, is not', async () => {
  const [note, ...more] = await notesAfter(
    ['site.yaml', /^hours: .*/m, 'hours: Weekdays in room #5 # from nine'],
    ['forms/help.yaml', 'type: text\n', 'type: text # one line\n'],
    ['site.yaml', /^answerWithin: .*/m, 'answerWithin: "in room #5"'],
  );
  expect(note).toMatch(
    /^site\.yaml:\d+ {2}“# 5 # from nine” is not shown: if it belongs to the sentence, put quotes/,
  );
  expect(more).toEqual([]);
});

test('a reminder that comes later than the promised answer is noted with the line of the promise', async () => {
  const promise = (words: string): Edit => ['site.yaml', /^answerWithin: .*/m, `answerWithin: ${words}`];
  const [note, ...more] = await notesAfter(promise('within 24 hours'));
  expect(note).toMatch(
    /^site\.yaml:\d+ {2}remindAfter › contact: staff are reminded after 2 working days, later than .*“within 24 hours”\)$/,
  );
  expect(more).toEqual([]);
  for (const words of ['within two working days', 'in a week', 'when we can'])
    expect(await notesAfter(promise(words))).toEqual([]);
});

test('a form without the question for an e-mail address is noted, and so is a missing logo', async () => {
  const folder = await write([...ownWords, ['forms/contact.yaml', 'key: Email', 'key: Mail']]);
  await rm(join(folder, 'logo.svg'));
  expect(await notesOf(folder)).toEqual([
    'forms/contact.yaml  has no question with the key Email, so staff cannot reply to the person who sends it',
    'logo.svg  is missing: the bar and the browser’s tab show the example’s',
  ]);
});

test('a form with which nobody can say that it is urgent, or that they must not be contacted, is noted', async () => {
  expect(
    await notesAfter([
      'forms/help.yaml',
      '{ label: Feeling unsafe at home, means: urgent }',
      'Feeling unsafe',
    ]),
  ).toEqual([
    'forms/help.yaml  has no choice with means: urgent, so no request for help goes out first, and nobody is told whom to call now',
  ]);
  expect(await notesAfter(['forms/help.yaml', ', means: none }', ', means: post }'])).toEqual([
    'forms/help.yaml  has safe ways to be reached and no choice with means: none, so nobody can say that they must not be contacted',
  ]);
});

test('a list of helplines that takes the place of ours is noted, with the lines that are gone', async () => {
  const folder = await write(ownWords);
  const noted = async (...lines: string[]) => {
    await writeFile(
      join(folder, 'helplines.yaml'),
      ['checked: never', '# Ours', 'lines:', ...lines].join('\n'),
    );
    return notesOf(folder);
  };
  const refuge = ['  - name: Te Whare', '    for: For women', '    phone: "0800733843"'];
  const gone =
    'helplines.yaml:4  lines: your own take the place of all of ours, and these are not shown: Family Violence Information Line, 0800 Hey Bro, Safe to talk, 1737, Shakti, Police, 111 TXT, NZ Relay';
  expect(await noted(...refuge, '    always: true')).toEqual([gone]);
  expect(await noted(...refuge)).toEqual([
    gone,
    'helplines.yaml:4  lines: none has always: true, so 111 is named alone to somebody who does not feel safe',
  ]);
});

test('the example may be served on a test address, and nowhere else', async () => {
  for (const address of [
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://[::1]:80',
    'https://www.kowhai.example',
    'https://trust.test',
    'http://trust.localhost',
  ]) {
    expect(isForTests(address), address).toBe(true);
    await refuseExamples('content', address);
  }
  await refuseExamples('content', undefined);
  for (const address of ['https://www.trust.org.nz', 'http://192.168.1.9', 'https://example.trust.nz']) {
    await expect(refuseExamples('content', address), address).rejects.toThrow(
      /site\.yaml:\d+ {2}organisation/,
    );
  }
  await refuseExamples(await write(ownWords), 'https://www.trust.org.nz');
});

test('unsupported Markdown is noted with its line; tables and quotations are supported', async () => {
  const folder = await write(ownWords);
  await mkdir(join(folder, 'pages'));
  const noted = async (text: string) => {
    await writeFile(join(folder, 'pages/about.md'), `---\ntitle: About\n---\n${text}`);
    return notesOf(folder);
  };
  expect(await noted('| Day |\n|-----|\n| Monday |\n\n> Said\n\n- **a** [b](/help) & c\n\n# D')).toEqual([]);
  const asWritten = 'which is shown as it is written';
  expect(
    await noted('Title\n=====\n\nSome\n`code`\n<b>bold</b>\n\n| Day | Time |\n| Monday | 9 |\n'),
  ).toEqual([
    `pages/about.md:4  has a line of = or - under it, ${asWritten}: for a heading, write # and a space before it`,
    `pages/about.md:8  has code between \` signs, ${asWritten}: take them away, or write **strong words**`,
    `pages/about.md:9  has HTML, ${asWritten}: take it away`,
    'pages/about.md:11  has columns with | and is no table: the line below its first must be | --- | --- |',
  ]);
  expect(
    await noted('```\nx\n```\n\n***\n\n~~gone~~ [a][b]\n\n[b]: https://www.govt.nz\n\n<div>\n\n    far'),
  ).toEqual([
    `pages/about.md:4  has a block of code (\`\`\`), ${asWritten}: take the signs away`,
    `pages/about.md:8  has a line across the page, ${asWritten}: take it away, or begin a part with # and its heading`,
    `pages/about.md:10  has words crossed out with ~~, ${asWritten}: take the signs away`,
    `pages/about.md:12  has a link whose address stands elsewhere, ${asWritten}: write [words](https://…)`,
    `pages/about.md:14  has HTML, ${asWritten}: take it away`,
    'pages/about.md:16  begins four spaces or more to the right, and stands there as any other text: move it left',
  ]);
});

test('a message beside the forms that needs a number is noted where there is none', async () => {
  const notes = await notesAfter(
    ['site.yaml', /^phone: .*\n/m, ''],
    ['site.yaml', /^form:\n/m, 'alternativeContact:\n  message: Call {phone}.\nform:\n'],
  );
  expect(notes.join()).toContain('is not shown: site.yaml has no phone, so withoutPhone is shown');
  expect(notes.join()).not.toContain('as it stands');
});

test('a trust whose form is older learns what it may want to take over, and a form of today has no such note', async () => {
  const offers = async (folder: string) =>
    (await notesOf(folder))
      .filter((note) => note.includes('To take it over'))
      .map((note) => note.replace(/^forms\/help\.yaml +/, '').slice(0, 40));
  const older = (name: string) => offers(`test/older-content/${name}`);
  const order = 'the choice that means urgent does not co';
  const fold = 'nothing is folded: shown: more puts a qu';
  const asked = 'number and email are always asked for: s';
  expect(await older('before-the-fold')).toEqual([
    order,
    fold,
    asked,
    'CallTimes asks two things in one questio',
    'helplines.yaml  lines: people who cannot',
  ]);
  // None of its choices has a meaning.
  expect(await older('first')).toEqual([fold]);
  expect(await offers('content')).toEqual([]);
});

test('a helpline that can be written to since is noted in a list of the trust’s own', async () => {
  const { lines } = defaults['helplines.yaml'] as { lines: { phone?: string; chat?: string }[] };
  const ours = lines.find(({ phone }) => phone) ?? {};
  const before = { ...ours };
  onTestFinished(() => {
    delete ours.chat;
    Object.assign(ours, before);
  });
  ours.chat = 'https://chat.example';
  const content = await readContent('test/older-content/before-the-fold');
  const own = [{ name: 'Sample line', for: 'Everyone', phone: ours.phone }];
  const [note] = findOlderHelplines({ ...content, helplines: { ...content.helplines, lines: own } });
  expect(note?.message).toContain('people who cannot speak can write to Sample line: copy its chat');
});
