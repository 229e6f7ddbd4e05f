import { expect, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { mailOf, stored } from '../../../../test/support/submission-mail.ts';
import { type Answers, type Entry, toEntries } from '../../../model/answers.ts';
import type { FormField, FormName } from '../../../model/form-field.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { hasSafeTimes } from './safe-times.ts';

const callTimes: FormField = {
  key: 'CallTimes',
  type: 'checkbox',
  displayName: 'When is it safe to call?',
  description: '',
  required: false,
  choices: ['Mornings', 'School hours', 'No voicemail'],
  meanings: [
    { choice: 'Mornings', means: 'time' },
    { choice: 'School hours', means: 'time' },
    { choice: 'No voicemail', means: 'no-message' },
  ],
};
const ownTimes: FormField = {
  key: 'OwnTimes',
  type: 'text',
  displayName: 'In your own words',
  description: '',
  required: false,
  means: 'safeTimes',
};
const askedWhen = (form: FormName, answers: Answers, changes: Partial<StoredSubmission> = {}) => {
  const unlike = ({ key }: FormField) => key !== callTimes.key && key !== ownTimes.key;
  const definition = [...shippedContent.forms[form].definition.filter(unlike), callTimes, ownTimes];
  const usual = { FirstName: 'Hone', Phone: '021 000 000', Email: 'hone@visitor.example' };
  return stored(
    form,
    {},
    { definition, answers: toEntries(definition, { ...usual, ...answers }), ...changes },
  );
};

/** The colour of a box that says: go on. */
const green = '#dcefe3';
const textOf = async (submission: StoredSubmission) => (await mailOf(submission)).mail.text;

test('the mail says first when and how it is safe to call, then the number', async () => {
  const chosen = { CallTimes: ['Mornings', 'School hours', 'No voicemail'] };
  const { mail } = await mailOf(askedWhen('help', { SafeContact: ['Phone call'], ...chosen }));
  expect(mail.text).toMatch(
    /^=+\nCall only at these times: Mornings or School hours\.\nLEAVE NO MESSAGE\. Say nothing about us to anybody else\.\nThey chose “No voicemail”\.\n(- .*\n)+Call this person:\n {4}021 000 000\nDO NOT EMAIL/,
  );
  expect(mail.html).toMatch(/Call only at these times: Mornings or School hours\..*LEAVE NO MESSAGE/s);

  const discreet = { SafeContact: ['Phone call'], CallTimes: ['No voicemail'] };
  expect(await textOf(askedWhen('help', discreet))).toMatch(
    /^=+\nLEAVE NO MESSAGE\. Say nothing .*\nThey chose “No voicemail”\.\n(- .*\n)+Call this person:\n {4}021 000 000\n/,
  );
});

test('where email is safe too, the limits of calling still come first, and the box is not green', async () => {
  const ways = { SafeContact: ['Phone call', 'Text message', 'Email'] };
  const limited: [Answers, RegExp][] = [
    [
      { CallTimes: ['Mornings', 'No voicemail'] },
      /^=+\nCall or text only at these times: Mornings\.\nLEAVE NO MESSAGE\..*\nIn a text, name neither us nor why\.\n/,
    ],
    [
      { OwnTimes: 'Tuesday, 9 to 3' },
      /^=+\nCall or text only when they say it is safe:\n {4}Tuesday, 9 to 3\n/,
    ],
    [{ CallTimes: ['No voicemail'] }, /^=+\nLEAVE NO MESSAGE\..*\nIn a text, name neither us nor why\./],
  ];
  for (const [answers, first] of limited) {
    const { text = '', html } = (await mailOf(askedWhen('help', { ...ways, ...answers }))).mail;
    expect(text).toMatch(first);
    expect(text).toMatch(
      /\nCall or text this person:\n {4}021 000 000\nEmail this person:\n {4}hone@visitor\.example\nA reply to this email goes to them\.\n/,
    );
    expect(html).not.toContain(green);
  }
  expect((await mailOf(askedWhen('help', ways))).mail.html).toContain(green);
});

test('safe times in their own words are quoted above the number, in the language they were written in', async () => {
  const OwnTimes = 'Rāhina\n=====\nCall at night';
  const submission = askedWhen('help', { SafeContact: ['Phone call'], OwnTimes }, { language: 'mi' });
  const { mail } = await mailOf(submission);
  expect(mail.text).toMatch(
    /^=+\nCall only when they say it is safe:\n {4}Rāhina\n {4}=====\n {4}Call at night\n(- .*\n)+Call this person:\n {4}021 000 000\n/,
  );
  expect(mail.html).toMatch(/<p lang="mi" dir="auto"[^>]*>Rāhina/);
  expect(hasSafeTimes(submission)).toBe(true);
});

test('what limits calling stays above a number that looks unusable', async () => {
  const answers = { CallTimes: ['Mornings'], OwnTimes: 'Not Friday', Phone: 'ask at the dairy' };
  const limits =
    /\nCall only at these times: Mornings\.\nWhen it is safe, in their own words:\n {4}Not Friday\nThey (also )?chose “Phone call”, but what they wrote is not a number that we can use:\n {4}ask at the dairy\n/;
  const unreachable = await textOf(askedWhen('help', { SafeContact: ['Phone call'], ...answers }));
  expect(unreachable).toMatch(/^=+\nTHERE IS NO SAFE WAY TO REACH THIS PERSON\.\n/);
  expect(unreachable).toMatch(limits);
  const byEmail = await textOf(askedWhen('help', { SafeContact: ['Phone call', 'Email'], ...answers }));
  expect(byEmail).toMatch(/^=+\nEmail this person:\n/);
  expect(byEmail).toMatch(limits);
});

test('a form that offers no calls, and asks when it is safe, limits its own ways', async () => {
  const onlyEmail = { ...askedWhen('help', { SafeContact: ['Email'], OwnTimes: 'In school hours' }) };
  const definition = onlyEmail.definition.map((field) =>
    field.key === 'SafeContact' ? { ...field, meanings: [{ choice: 'Email', means: 'email' }] } : field,
  );
  const text = await textOf({ ...onlyEmail, definition });
  expect(text).toMatch(
    /^=+\nEmail only when they say it is safe:\n {4}In school hours\nEmail this person:\n/,
  );
  expect(text).toContain('In your own words\n    In school hours');
});

test('times to call are not in the box where nobody may call, and are marked among the answers', async () => {
  const CallTimes = ['Mornings', 'No voicemail'];
  const OwnTimes = 'Tuesdays';
  const refusal = "Please don't contact me, I will contact you";
  for (const [chosen, mark] of [
    ['Email', 'DO NOT USE: not chosen as safe'],
    [refusal, 'DO NOT USE'],
  ] as const) {
    const submission = askedWhen('help', { SafeContact: [chosen], CallTimes, OwnTimes });
    const text = await textOf(submission);
    expect(text).toContain(`When is it safe to call? (${mark})\n    Mornings`);
    expect(text).toContain(`In your own words (${mark})\n    Tuesdays`);
    expect(text?.match(/only at these times|LEAVE NO MESSAGE|when they say|Tuesdays/g)).toEqual(['Tuesdays']);
    expect(hasSafeTimes(submission)).toBe(false);
  }
  const allowed = await textOf(askedWhen('help', { SafeContact: ['Text message'], CallTimes }));
  expect(allowed).toContain('When is it safe to call?\n    Mornings');
  expect(allowed).not.toContain('LEAVE NO MESSAGE');
  expect(allowed).toContain('In a text, name neither us nor why.');
});

test('nothing is said about times where nothing about times was answered', async () => {
  const silent = askedWhen('help', { SafeContact: ['Phone call'], OwnTimes: ' ' });
  expect((await mailOf(silent)).mail.text).toMatch(
    /^=+\nCall this person\.\n(- .*\n)+Call:\n {4}021 000 000\nDO NOT EMAIL/,
  );
  expect(hasSafeTimes(silent)).toBe(false);
  expect(hasSafeTimes(stored('help', {}, { answers: { sealed: 'x' } }))).toBe(false);
});

test('a message whose form asks when to call says so above the number', async () => {
  const answers = { CallTimes: ['Mornings'], Email: '' };
  expect((await mailOf(askedWhen('contact', answers))).mail.text).toMatch(
    /Call only at these times: Mornings\.\n(- .*\n)+You can call them:\n {4}021 000 000\n/,
  );
  expect((await mailOf(askedWhen('contact', { CallTimes: ['Mornings'] }))).mail.text).toMatch(
    /^=+\nCall only at these times: Mornings\.\n/,
  );
});

test('both choices about who else may answer are quoted, from a question of their own too', async () => {
  const ifSomeoneElse: FormField = {
    ...{ key: 'IfSomeoneElse', type: 'checkbox', displayName: 'If someone else answers', description: '' },
    required: false,
    choices: ['Leave nothing', 'Say nothing'],
    meanings: ['Leave nothing', 'Say nothing'].map((choice) => ({ choice, means: 'no-message' })),
  };
  const definition = [...shippedContent.forms.help.definition, ifSomeoneElse];
  const textFor = async (chosen: string[]) => {
    const asked = stored('help', { SafeContact: ['Phone call'] }, { definition });
    const answers = [...(asked.answers as Entry[]), { key: ifSomeoneElse.key, value: chosen }];
    return textOf({ ...asked, answers });
  };
  expect(await textFor(['Leave nothing', 'Say nothing'])).toMatch(
    /^=+\nLEAVE NO MESSAGE\..*\nThey chose “Leave nothing” and “Say nothing”\.\n/,
  );
  expect(await textFor(['Say nothing'])).toMatch(/^=+\nLEAVE NO MESSAGE\..*\nThey chose “Say nothing”\.\n/);
});
