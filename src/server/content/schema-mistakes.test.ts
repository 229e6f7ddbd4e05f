import { type ContentMistake, testMistakes } from '../../../test/support/content-mistakes.ts';
import { fieldTypeNames } from '../../model/server-field-types.ts';

type Row = [
  mistake: string,
  was: string | RegExp | undefined,
  became: string,
  says: string,
  on?: string | undefined,
];
const mistakesIn = (file: string, rows: readonly Row[]): ContentMistake[] =>
  rows.map(([mistake, was, became, says, on]) => ({
    ...{ mistake, file, became, says },
    ...(was && { was }),
    ...(on && { on }),
  }));

const curly =
  'has curly quotes (“ ”) around it, which do not count as quotes here: write straight ones (") in their place';
const block = 'expected lines of its own below it, each two spaces further right';
const quoted = 'expected a number in quotes, such as "0800 733 843"';
const notLastDay =
  'expected a day after from: it is the day somebody reads again, not the last day you are closed';
const aDay = 'expected a day, such as 2026-12-24';
const meanings = 'it is one of call, text, email, post, none, urgent, time, no-message';
const unsafe = '    - { label: Feeling unsafe';
const meeting =
  'closed:\n  - from: 2026-12-24\n    until: 2027-01-11\n  - from: 2027-01-11\n    until: 2027-01-18';
const twoClosures = 'closed › #2: begins before the one above it has ended: make one of the two';
const underCover = 'text: belongs to cover: move it, and the lines that go with it, two spaces to the right';

/** What a trust writes at `closed`, and what is said of it. */
const closed = (mistake: string, lines: string[], says: string, on?: string): Row => [
  mistake,
  undefined,
  ['closed:', ...lines].join('\n'),
  `closed › ${says}`,
  on,
];

testMistakes([
  ...mistakesIn('site.yaml', [
    ['curly quotes around a number', /^phone: .*/m, 'phone: “0800 000 000”', `phone: ${curly}`],
    [
      'lines not under the one they belong to',
      /^cover:\n {2}(.*)\n {2}(.*)/m,
      'cover:\n$1\n$2',
      underCover,
      'text:',
    ],
    [
      'a colon in a sentence of a list',
      '  - Our help is free.',
      '  - Our promise: it is free.',
      'promises › #1: has a colon in a sentence: put quotes around all of it',
    ],
    [
      'nothing but a name in braces',
      /^discreetTitle: .*/m,
      'discreetTitle: {organisation}',
      'discreetTitle: words that begin with { need quotes around them',
    ],
    [
      'a word misspelt',
      /^answerWithin:/m,
      'anserWithin:',
      'anserWithin: is not known here: is answerWithin meant?',
    ],
    ['a word that nobody knows', undefined, 'fax: "04 000 0000"', 'fax: is not a word that belongs here'],
    ['no name', /^organisation: .*/m, 'organisation:', 'organisation: is empty: expected words'],
    [
      'a number where words belong',
      /^discreetTitle: .*/m,
      'discreetTitle: 2026',
      'discreetTitle: expected words: put quotes around it',
    ],
    [
      'an address without its end',
      /^email: .*/m,
      'email: kiaora@trust',
      'email: expected one e-mail address',
    ],
    [
      'one sentence where a list belongs',
      'sectionLinks: []',
      'sectionLinks: Support',
      'sectionLinks: expected a list: lines below it that begin with - and a space',
    ],
    closed(
      'the last closed day',
      ['  from: 2026-12-24', '  until: 2026-12-24'],
      `until: ${notLastDay}`,
      '  until:',
    ),
    closed(
      'a day as one says it',
      ['  from: 24 December 2026', '  until: 2027-01-11'],
      `from: ${aDay}`,
      '  from:',
    ),
    closed(
      'a day that there is not',
      ['  from: 2026-12-24', '  until: 2027-02-30'],
      `until: ${aDay}`,
      '  until:',
    ),
    closed(
      'a day without its dashes',
      ['  from: 20261224', '  until: 2027-01-11'],
      `from: ${aDay}: put quotes around it`,
      '  from:',
    ),
    closed(
      'the year of the last Christmas',
      ['  from: 2025-12-24', '  until: 2027-01-11'],
      'until: expected a day within 100 days of from: is the year right?',
      '  until:',
    ),
    closed('a closure that never ends', ['  from: 2026-12-24'], `until: is missing: ${aDay}`),
    ['a sentence in place of the days', undefined, 'closed: over Christmas', `closed: ${block}`],
    ['two closures that meet', undefined, meeting, twoClosures, '  - from: 2027'],
  ]),
  ...mistakesIn('helplines.yaml', [
    [
      'a number without quotes',
      'phone: "0800 456 450"',
      'phone: 0800456450',
      `lines › #2 › phone: ${quoted}`,
      '    phone: 0800456450',
    ],
    [
      'a number with something else in it',
      '    phone: "0800 456 450"',
      '    phone: "0800 456 450 (free)"',
      'lines › #2 › phone: expected digits and spaces only',
    ],
    [
      'a day written as people say it',
      'checked: never',
      'checked: 3 March 2026',
      "checked: expected a day, such as 2026-03-31, or 'never'",
    ],
  ]),
  ...mistakesIn('forms/contact.yaml', [
    [
      'a textarea without the words that are its label',
      '  description: Your message to us\n',
      "  description: ''\n",
      '#6 › description: must not be empty: it is the label of a textarea',
    ],
    [
      'a kind of question that there is not',
      'type: textarea',
      'type: paragraph',
      `#6 › type: expected a type: one of ${fieldTypeNames.join(', ')}`,
      '  type: paragraph',
    ],
    [
      'a question without its line',
      '  displayName: Subject\n',
      '',
      '#5 › displayName: is missing: expected words',
      '- key: Subject',
    ],
    [
      'counting what people write',
      '  description: Your message to us\n',
      '  description: Your message to us\n  counted: true\n',
      '#6 › counted: what people write is not counted: only the answers to checkbox and boolean are',
      '  counted: true',
    ],
  ]),
  ...mistakesIn('forms/help.yaml', [
    [
      'a place that a question cannot have',
      '  shown: asked',
      '  shown: later',
      '#4 › shown: expected asked or more, or no such line: then it is always shown',
    ],
    [
      'a question that must be answered and is not shown',
      '  description: Any name',
      '  shown: more\n  description: Any name',
      '#2 › shown: a question that is required is always shown: leave this line out',
    ],
    ['a yes where true belongs', '  counted: true', '  counted: yes', '#1 › counted: expected true or false'],
    [
      'a meaning misspelt',
      'means: urgent }',
      'means: urgnt }',
      '#1 › choices › #1 › means: urgnt is not known: did you mean urgent?',
      unsafe,
    ],
    [
      'a meaning that nobody knows',
      'means: urgent }',
      'means: red }',
      `#1 › choices › #1 › means: red is not known: ${meanings}`,
      unsafe,
    ],
  ]),
]);
