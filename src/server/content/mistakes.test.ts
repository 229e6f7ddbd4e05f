import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { fieldTypeNames } from '../../model/server-field-types.ts';
import { BadSettings, readSettings } from '../settings/settings.ts';
import { BadContent, readContent } from './content.ts';

/**
 * What volunteers get wrong, and the one sentence each gets to read: nothing of the parser's own, nothing of what follows
 * from the mistake.
 */

interface Row {
  mistake: string;
  file: string;
  /** What is in the file that ships, and what somebody made of it. */
  was: string | RegExp;
  became: string;
  /** The beginning of the line that is named. */
  on: string;
  says: string;
}

const rows: Row[] = [
  {
    mistake: 'a colour without quotes',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'theme:\n  primary: #113355\n  accent: "#9f3da4"',
    on: '  primary: #113355',
    says: 'has a colour without quotes, and from the # on everything is lost: colours need quotes, as in "#28425b"',
  },
  {
    mistake: 'curly quotes around a telephone number',
    file: 'site.yaml',
    was: /^phone: .*/m,
    became: 'phone: “0800 000 000”',
    on: 'phone: ',
    says: 'phone: has curly quotes (“ ”) around it, which are letters like any other here: write straight ones (") in their place',
  },
  {
    mistake: 'curly quotes around an e-mail address',
    file: 'site.yaml',
    was: /^email: .*/m,
    became: 'email: ‘kiaora@trust.example’',
    on: 'email: ',
    says: 'email: has curly quotes (“ ”) around it, which are letters like any other here: write straight ones (") in their place',
  },
  {
    mistake: 'a textarea without the words that are its label',
    file: 'forms/contact.yaml',
    was: '  description: Your message to us\n',
    became: "  description: ''\n",
    on: "  description: ''",
    says: '#6 › description: must not be empty: it is the label of a textarea',
  },
  {
    mistake: 'the Tab key',
    file: 'site.yaml',
    was: '  text: "{mi:Nau',
    became: '\ttext: "{mi:Nau',
    on: '\ttext',
    says: 'begins with a tab: put spaces in its place, as in the lines around it',
  },
  {
    mistake: 'a line one space too far left',
    file: 'site.yaml',
    was: '  photo: family\n',
    became: ' photo: family\n',
    on: ' photo: family',
    says: 'begins in the wrong place: lines that belong together begin equally far from the left',
  },
  {
    mistake: 'a line one space too far right',
    file: 'forms/help.yaml',
    was: '  type: textarea',
    became: '   type: textarea',
    on: '   type: textarea',
    says: 'begins further right than the lines it belongs to: move it left, to stand under them',
  },
  {
    mistake: 'a line of a list one space too far right',
    file: 'site.yaml',
    was: '  - What you tell us',
    became: '   - What you tell us',
    on: '   - What',
    says: 'begins further right than the lines it belongs to: move it left, to stand under them',
  },
  {
    mistake: 'lines that are not under the one they belong to',
    file: 'site.yaml',
    was: /^cover:\n {2}(.*)\n {2}(.*)/m,
    became: 'cover:\n$1\n$2',
    on: 'text: "{mi:Nau',
    says: 'text: belongs to cover: it and what goes with it begin two spaces further right',
  },
  {
    mistake: 'a colon in a sentence',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'hours: Weekdays: nine to four',
    on: 'hours: Weekdays',
    says: 'has a colon in a sentence: put quotes around all of it',
  },
  {
    mistake: 'a colon in a sentence of a list',
    file: 'site.yaml',
    was: '  - Our help is free.',
    became: '  - Our promise: it is free.',
    on: '  - Our promise',
    says: 'promises › #1: has a colon in a sentence: put quotes around all of it',
  },
  {
    mistake: 'a colon in the second line of a sentence',
    file: 'forms/help.yaml',
    was: '  description: Choose as many as you like',
    became: '  description: Choose as many as you like\n    and mind that: it is safe',
    on: '    and mind that',
    says: 'has a colon in a sentence: put quotes around all of it',
  },
  {
    mistake: 'no space after the colon',
    file: 'site.yaml',
    was: 'discreetTitle: Welcome',
    became: 'discreetTitle:Welcome',
    on: 'discreetTitle:Welcome',
    says: 'has no space after the colon: add one',
  },
  {
    mistake: 'no space after the dash of a list',
    file: 'site.yaml',
    was: /^promises:\n {2}- /m,
    became: 'promises:\n-',
    on: '-Our help',
    says: 'has no space after the - at its beginning: add one',
  },
  {
    mistake: 'a quotation mark that is not closed',
    file: 'site.yaml',
    was: /^phone: .*/m,
    became: 'phone: "0800 000 000',
    on: 'phone:',
    says: 'opens with " and never closes: put another " at its end',
  },
  {
    mistake: 'an apostrophe within single quotes',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: "hours: 'We're in from nine'",
    on: 'hours:',
    says: "has a ' within ' quotes, which ends them: put double quotes around all of it instead",
  },
  {
    mistake: 'quotation marks within quotation marks',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'hours: "The sign says "open" from nine"',
    on: 'hours:',
    says: 'goes on after the closing ": put quotes around all of it, and write “ and ” for those within',
  },
  {
    mistake: 'a sentence that begins with a name in braces',
    file: 'site.yaml',
    was: '  text: "{mi:Nau',
    became: '  text: {organisation} says "{mi:Nau',
    on: '  text: {organisation}',
    says: 'words that begin with { need quotes around them',
  },
  {
    mistake: 'a name in braces with a colon behind it',
    file: 'site.yaml',
    was: /^discreetTitle: .*/m,
    became: 'discreetTitle: {organisation}: welcome',
    on: 'discreetTitle: {organisation}',
    says: 'has a colon in a sentence: put quotes around all of it',
  },
  {
    mistake: 'nothing but a name in braces',
    file: 'site.yaml',
    was: /^discreetTitle: .*/m,
    became: 'discreetTitle: {organisation}',
    on: 'discreetTitle: {organisation}',
    says: 'discreetTitle: words that begin with { need quotes around them',
  },
  {
    mistake: 'a word with an asterisk before it',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'hours: *Weekdays only',
    on: 'hours:',
    says: 'words that begin with * need quotes around them',
  },
  {
    mistake: 'a word with an exclamation mark before it',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'hours: !Weekdays only',
    on: 'hours:',
    says: 'words that begin with ! need quotes around them',
  },
  {
    mistake: 'a number sign in the first line of a sentence',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'hours: Weekdays in room #5\n  from nine',
    on: 'hours:',
    says: 'has a # in a sentence, and everything from there on is lost: put quotes around all of it',
  },
  {
    mistake: 'a list in brackets that are not closed',
    file: 'site.yaml',
    was: 'sectionLinks: []',
    became: 'sectionLinks: [Support',
    on: 'sectionLinks:',
    says: 'opens with [ and never closes: put a ] at its end',
  },
  {
    mistake: 'a comma forgotten between braces',
    file: 'forms/help.yaml',
    was: '{ label: Email, means: email, asks: Email }',
    became: '{ label: Email means: email, asks: Email }',
    on: '    - { label: Email means',
    says: 'lacks something between its brackets: most likely a comma, or the bracket that closes them',
  },
  {
    mistake: 'a sentence copied out of a word processor',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'hours:\u00A0Weekdays',
    on: 'hours:',
    says: 'has a space from a word processor or a web page: delete it, and type a space in its place',
  },
  {
    mistake: 'a line that is nothing but words',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'Monday to Friday, 9 am to 4 pm',
    on: 'Monday',
    says: 'cannot be understood: a line is a word, a colon, a space and what it says; a sentence that goes on in the next line begins further right there',
  },
  {
    mistake: 'the same word twice',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'hours: Weekdays\nemail: other@trust.example',
    on: 'email: other',
    says: 'email is here for the second time: take one of the two out',
  },
  {
    mistake: 'a word misspelt',
    file: 'site.yaml',
    was: /^answerWithin:/m,
    became: 'anserWithin:',
    on: 'anserWithin:',
    says: 'anserWithin: is not known here: is answerWithin meant?',
  },
  {
    mistake: 'a word that nobody knows',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'fax: "04 000 0000"',
    on: 'fax:',
    says: 'fax: is not a word that belongs here',
  },
  {
    mistake: 'nothing where the name should be',
    file: 'site.yaml',
    was: /^organisation: .*/m,
    became: 'organisation:',
    on: 'organisation:',
    says: 'organisation: is empty: expected words',
  },
  {
    mistake: 'a number where words belong',
    file: 'site.yaml',
    was: /^discreetTitle: .*/m,
    became: 'discreetTitle: 2026',
    on: 'discreetTitle:',
    says: 'discreetTitle: expected words: put quotes around it',
  },
  {
    mistake: 'an address without its end',
    file: 'site.yaml',
    was: /^email: .*/m,
    became: 'email: kiaora@trust',
    on: 'email:',
    says: 'email: expected one e-mail address',
  },
  {
    mistake: 'a number without quotes, which would lose its nought',
    file: 'helplines.yaml',
    was: '    phone: "0800 456 450"',
    became: '    phone: 0800456450',
    on: '    phone: 0800456450',
    says: 'lines › #2 › phone: expected a number in quotes, such as "0800 733 843"',
  },
  {
    mistake: 'a number with something else in it',
    file: 'helplines.yaml',
    was: '    phone: "0800 456 450"',
    became: '    phone: "0800 456 450 (free)"',
    on: '    phone: "0800 456 450 (free)"',
    says: 'lines › #2 › phone: expected digits and spaces only',
  },
  {
    mistake: 'a day written as people say it',
    file: 'helplines.yaml',
    was: 'checked: never',
    became: 'checked: 3 March 2026',
    on: 'checked:',
    says: "checked: expected a day, such as 2026-03-31, or 'never'",
  },
  {
    mistake: 'a kind of question that there is not',
    file: 'forms/contact.yaml',
    was: 'type: textarea',
    became: 'type: paragraph',
    on: '  type: paragraph',
    says: `#6 › type: expected a type: one of ${fieldTypeNames.join(', ')}`,
  },
  {
    mistake: 'a question without its line',
    file: 'forms/contact.yaml',
    was: '  displayName: Subject\n',
    became: '',
    on: '- key: Subject',
    says: '#5 › displayName: is missing: expected words',
  },
  {
    mistake: 'counting what people write',
    file: 'forms/contact.yaml',
    was: '  description: Your message to us\n',
    became: '  description: Your message to us\n  counted: true\n',
    on: '  counted: true',
    says: '#6 › counted: what people write is not counted: only the answers to checkbox and boolean are',
  },
  {
    mistake: 'a yes where true belongs',
    file: 'forms/help.yaml',
    was: '  counted: true',
    became: '  counted: yes',
    on: '  counted: yes',
    says: '#1 › counted: expected true or false',
  },
  {
    mistake: 'counted with a letter too few',
    file: 'forms/help.yaml',
    was: '  counted: true',
    became: '  conted: true',
    on: '  conted: true',
    says: '#1 › conted: is not known here: is counted meant?',
  },
  {
    mistake: 'counting of sealed answers said in words',
    file: 'site.yaml',
    was: 'discreetTitles: false\n',
    became: 'discreetTitles: false\ncountSealed: sometimes\n',
    on: 'countSealed: sometimes',
    says: 'countSealed: expected true or false',
  },
  {
    mistake: 'one sentence where a list belongs',
    file: 'site.yaml',
    was: 'sectionLinks: []',
    became: 'sectionLinks: Support',
    on: 'sectionLinks:',
    says: 'sectionLinks: expected a list: lines below it that begin with - and a space',
  },
  {
    mistake: 'a picture that is not there',
    file: 'photos/index.yaml',
    was: '- file: family-hills.svg',
    became: '- file: family-hill.svg',
    on: '- file: family-hill.svg',
    says: '#2 › file: there is no such file beside this one',
  },
  {
    mistake: 'the day a trust opens again, named as the last closed one',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'closed:\n  from: 2026-12-24\n  until: 2026-12-24',
    on: '  until:',
    says: 'closed › until: expected a day after from: it is the day somebody reads again, not the last day you are closed',
  },
  {
    mistake: 'a day as one says it',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'closed:\n  from: 24 December 2026\n  until: 2027-01-11',
    on: '  from:',
    says: 'closed › from: expected a day, such as 2026-12-24',
  },
  {
    mistake: 'a day that there is not',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'closed:\n  from: 2026-12-24\n  until: 2027-02-30',
    on: '  until:',
    says: 'closed › until: expected a day, such as 2026-12-24',
  },
  {
    mistake: 'a day without its dashes',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'closed:\n  from: 20261224\n  until: 2027-01-11',
    on: '  from:',
    says: 'closed › from: expected a day, such as 2026-12-24: put quotes around it',
  },
  {
    mistake: 'the year of the last Christmas',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'closed:\n  from: 2025-12-24\n  until: 2027-01-11',
    on: '  until:',
    says: 'closed › until: expected a day within 100 days of from: is the year right?',
  },
  {
    mistake: 'a closure that never ends',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'closed:\n  from: 2026-12-24',
    on: 'closed:',
    says: 'closed › until: is missing: expected a day, such as 2026-12-24',
  },
  {
    mistake: 'a sentence in place of the days',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became: 'closed: over Christmas',
    on: 'closed:',
    says: 'closed: expected lines of its own below it, each two spaces further right',
  },
  {
    mistake: 'two closures that meet',
    file: 'site.yaml',
    was: /^hours: .*/m,
    became:
      'closed:\n  - from: 2026-12-24\n    until: 2027-01-11\n  - from: 2027-01-11\n    until: 2027-01-18',
    on: '  - from: 2027',
    says: 'closed › #2: begins before the one above it has ended: make one of the two',
  },
];

async function copyContent(): Promise<string> {
  const folder = temporaryFolder();
  await cp('content', folder, { recursive: true, filter: (path) => !path.endsWith('rendered') });
  // Words of ours that a trust may say differently.
  const path = join(folder, 'site.yaml');
  const site = (await readFile(path, 'utf8'))
    .replace('discreetTitles: false\n', 'discreetTitles: false\ndiscreetTitle: Welcome\n')
    .replace(/^cover:\n.*\n/m, '$&  photo: family\n');
  await writeFile(path, site);
  return folder;
}

async function problemsOf(folder: string): Promise<string[]> {
  const error = await readContent(folder).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(BadContent);
  return (error as BadContent).message.split('\n').slice(1);
}

test.each(rows)('$file: $mistake', async ({ file, was, became, on, says }) => {
  const folder = await copyContent();
  const path = join(folder, file);
  const before = await readFile(path, 'utf8');
  const after = before.replace(was, became);
  expect(after, `${file} has no ${was}`).not.toBe(before);
  await writeFile(path, after);
  const line = after.split('\n').findIndex((text) => text.startsWith(on)) + 1;
  expect(line, `${file} has no line ${on}`).toBeGreaterThan(0);
  expect(await problemsOf(folder)).toEqual([`  ${file}:${line}  ${says}`]);
});

test('a file that is no text is one problem; one that is missing or empty is left to us', async () => {
  const folder = await copyContent();
  await rm(join(folder, 'forms/contact.yaml'));
  await writeFile(join(folder, 'forms/help.yaml'), '');
  await writeFile(
    join(folder, 'helplines.yaml'),
    Buffer.from('checked: never\nheading: K\u00F4rero', 'latin1'),
  );
  await writeFile(join(folder, 'site.yaml'), 'Our website');
  expect(await problemsOf(folder)).toEqual([
    '  site.yaml:1  cannot be understood: each line is a word, a colon, a space and what it says',
    '  helplines.yaml:2  has a letter that cannot be read: save the file as plain text, in UTF-8',
  ]);
});

test('a folder that is not there is one problem, and not one for each file in it', async () => {
  expect(await problemsOf('/nowhere/content')).toEqual([
    '  CONTENT_DIR  is not there: set it to the folder that has site.yaml in it',
  ]);
});

const mail = {
  MAIL_FROM: 'web@trust.example',
  MAIL_TO_HELP: 'a@trust.example',
  MAIL_TO_CONTACT: 'b@trust.example',
};

test.each([
  ['words for a number', { PORT: 'three thousand' }, 'PORT must be a whole number from 0 to 65535'],
  ['a number out of bounds', { PORT: '99999' }, 'PORT must be a whole number from 0 to 65535'],
  ['a unit', { RETENTION_DAYS: '30 days' }, 'RETENTION_DAYS must be a whole number from 1 to 3650'],
  [
    'an address without https://',
    { PUBLIC_URL: 'www.trust.example' },
    'PUBLIC_URL must be a web address, such as https://www.trust.example',
  ],
  [
    'a mail server without smtp://',
    { ...mail, SMTP_URL: 'mail.trust.example:587' },
    'SMTP_URL must begin with smtp:// or smtps://',
  ],
  [
    'a password with a / in it',
    { ...mail, SMTP_URL: 'smtp://user:pass/word@mail.trust.example' },
    'SMTP_URL must name a server, such as smtp://user:password@mail.trust.example:587; in a password, write %2F for /, %23 for # and %3F for ?',
  ],
  [
    'a password with a % in it',
    { ...mail, SMTP_URL: 'smtp://user:100%@mail.trust.example' },
    'SMTP_URL has a % that stands for no character: write %25 for the % itself',
  ],
  [
    'another database',
    { DATABASE_URL: 'mysql://localhost/awhina' },
    'DATABASE_URL must begin with postgres://',
  ],
  [
    'addresses without a comma',
    { ...mail, MAIL_TO_HELP: 'one@trust.example two@trust.example', SMTP_URL: 'smtp://mail.trust.example' },
    'MAIL_TO_HELP must be one e-mail address, or several separated by commas',
  ],
  [
    'a name beside an address',
    { ...mail, MAIL_FROM: 'The Trust <web@trust.example>', SMTP_URL: 'smtp://mail.trust.example' },
    'MAIL_FROM must be one e-mail address, without a name',
  ],
  [
    'an answer where a number or an address belongs',
    { TRUST_PROXY: 'yes' },
    'TRUST_PROXY must be the address of the web server in front, such as 127.0.0.1 or 10.0.0.0/8, several separated by commas; or how many there are, such as 1',
  ],
  [
    'a key that is not whole',
    { SEAL_TO: 'age1qqqq' },
    'SEAL_TO must be one or more public keys that begin with age1, separated by commas',
  ],
])('a setting: %s', (_mistake, env, says) => {
  let message = '';
  try {
    readSettings(env);
  } catch (error) {
    expect(error).toBeInstanceOf(BadSettings);
    message = (error as Error).message;
  }
  expect(message).toBe(`These settings are not right:\n  ${says}`);
});
