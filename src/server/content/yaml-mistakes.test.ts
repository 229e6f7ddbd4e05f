import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyContent, problemsOf, testMistakes } from '../../../test/support/content-mistakes.ts';

/** What somebody wrote at `hours`, or in its place. */
const atHours: [mistake: string, became: string, says: string][] = [
  ['a colon', 'hours: Weekdays: nine to four', 'has a colon in a sentence: put quotes around all of it'],
  [
    'an apostrophe within single quotes',
    "hours: 'We're in from nine'",
    "has a ' within ' quotes, which ends them: put double quotes around all of it instead",
  ],
  [
    'quotation marks within quotation marks',
    'hours: "The sign says "open" from nine"',
    'goes on after the closing ": put quotes around all of it, and write “ and ” for those within',
  ],
  ['an asterisk', 'hours: *Weekdays only', 'words that begin with * need quotes around them'],
  ['an exclamation mark', 'hours: !Weekdays only', 'words that begin with ! need quotes around them'],
  [
    'a number sign in the first line of a sentence',
    'hours: Weekdays in room #5\n  from nine',
    'has a # in a sentence, and everything from there on is lost: put quotes around all of it',
  ],
  [
    'a sentence copied out of a word processor',
    'hours:\u00A0Weekdays',
    'has a space from a word processor or a web page: delete it, and type a space in its place',
  ],
  [
    'a line that is nothing but words',
    'Monday to Friday, 9 am to 4 pm',
    'cannot be understood: a line is a word, a colon, a space and what it says; a sentence that goes on in the next line begins further right there',
  ],
];

testMistakes([
  ...atHours.map(([mistake, became, says]) => ({ mistake, became, says })),
  {
    mistake: 'a colour without quotes',
    became: 'theme:\n  primary: #113355\n  accent: "#9f3da4"',
    on: '  primary: #113355',
    says: 'has a colour without quotes, and from the # on everything is lost: colours need quotes, as in "#28425b"',
  },
  {
    mistake: 'the Tab key',
    was: '  text: "{mi:Nau',
    became: '\ttext: "{mi:Nau',
    says: 'begins with a tab: put spaces in its place, as in the lines around it',
  },
  {
    mistake: 'a line one space too far left',
    was: '  photo: family\n',
    became: ' photo: family\n',
    says: 'begins in the wrong place: lines that belong together begin equally far from the left',
  },
  {
    mistake: 'a line one space too far right',
    file: 'forms/help.yaml',
    was: '  type: textarea',
    became: '   type: textarea',
    says: 'begins further right than the lines it belongs to: move it left, to stand under them',
  },
  {
    mistake: 'a colon in the second line of a sentence',
    file: 'forms/help.yaml',
    was: '  description: Choose every safe time',
    became: '  description: Choose every safe time\n    and mind that: it is safe',
    on: '    and mind that',
    says: 'has a colon in a sentence: put quotes around all of it',
  },
  {
    mistake: 'no space after the colon',
    was: 'discreetTitle: Welcome',
    became: 'discreetTitle:Welcome',
    says: 'has no space after the colon: add one',
  },
  {
    mistake: 'no space after the dash of a list',
    was: /^promises:\n {2}- /m,
    became: 'promises:\n-',
    on: '-Our help',
    says: 'has no space after the - at its beginning: add one',
  },
  {
    mistake: 'a quotation mark that is not closed',
    was: /^phone: .*/m,
    became: 'phone: "0800 000 000',
    says: 'opens with " and never closes: put another " at its end',
  },
  {
    mistake: 'a sentence that begins with a name in braces',
    was: '  text: "{mi:Nau',
    became: '  text: {organisation} says "{mi:Nau',
    says: 'words that begin with { need quotes around them',
  },
  {
    mistake: 'a list in brackets that are not closed',
    was: 'sectionLinks: []',
    became: 'sectionLinks: [Support',
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
    mistake: 'the same word twice',
    became: 'hours: Weekdays\nemail: other@trust.example',
    on: 'email: other',
    says: 'email is here for the second time: take one of the two out',
  },
]);

test('a file that is no text is one problem; a missing or empty one gets the defaults', async () => {
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

test('a missing folder is one problem, and not one for each file in it', async () => {
  expect(await problemsOf('/nowhere/content')).toEqual([
    '  CONTENT_DIR  is not there: set it to the folder that has site.yaml in it',
  ]);
});
