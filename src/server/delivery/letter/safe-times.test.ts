import { expect, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { mailOf, stored } from '../../../../test/support/submission-mail.ts';
import { type Answers, toEntries } from '../../../model/answers.ts';
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

test('the mail says first when and how it is safe to call, then the number', async () => {
  const chosen = { CallTimes: ['Mornings', 'School hours', 'No voicemail'] };
  const { mail } = await mailOf(askedWhen('help', { SafeContact: ['Phone call'], ...chosen }));
  expect(mail.text).toMatch(
    /^=+\nCall this person only at these times: Mornings, School hours\.\nLeave no message\. Say nothing about us to whoever answers\.\nCall:\n {4}021 000 000\nDO NOT EMAIL/,
  );
  expect(mail.html).toMatch(
    /Call this person only at these times: Mornings, School hours\..*Leave no message/s,
  );

  const both = { SafeContact: ['Phone call', 'Text message', 'Email'], ...chosen };
  expect((await mailOf(askedWhen('help', both))).mail.text).toMatch(
    /^=+\nCall, text or email this person\.\nCall or text this person only at these times: Mornings, School hours\.\nLeave no message\..*\nIn a text, do not say who we are or what it is about\.\nCall or text:\n {4}021 000 000\nEmail:\n/,
  );

  const discreet = { SafeContact: ['Phone call'], CallTimes: ['No voicemail'] };
  expect((await mailOf(askedWhen('help', discreet))).mail.text).toMatch(
    /^=+\nCall this person\.\nLeave no message\..*\nCall:\n {4}021 000 000\n/,
  );
});

test('safe times in their own words are quoted above the number, in the language they were written in', async () => {
  const OwnTimes = 'Rāhina\n=====\nCall at night';
  const submission = askedWhen('help', { SafeContact: ['Phone call'], OwnTimes }, { language: 'mi' });
  const { mail } = await mailOf(submission);
  expect(mail.text).toMatch(
    /^=+\nCall this person\.\nWhen it is safe, in their own words:\n {4}Rāhina\n {4}=====\n {4}Call at night\nCall:\n {4}021 000 000\n/,
  );
  expect(mail.html).toMatch(/<p lang="mi" dir="auto"[^>]*>Rāhina/);
  expect(hasSafeTimes(submission)).toBe(true);
});

test('times to call are not in the box where nobody may call, and are marked among the answers', async () => {
  const CallTimes = ['Mornings', 'No voicemail'];
  const refusal = "Please don't contact me, I will contact you";
  for (const [chosen, mark] of [
    ['Email', 'DO NOT USE: not chosen as safe'],
    [refusal, 'DO NOT USE'],
  ] as const) {
    const { text = '' } = (await mailOf(askedWhen('help', { SafeContact: [chosen], CallTimes }))).mail;
    expect(text).toContain(`When is it safe to call? (${mark})\n    Mornings`);
    expect(text).not.toMatch(/only at these times|Leave no message/);
  }
  const allowed = (await mailOf(askedWhen('help', { SafeContact: ['Text message'], CallTimes }))).mail.text;
  expect(allowed).toContain('When is it safe to call?\n    Mornings');
  expect(allowed).not.toContain('Leave no message');
  expect(allowed).toContain('In a text, do not say who we are');
});

test('nothing is said about times where nothing about times was answered', async () => {
  const silent = askedWhen('help', { SafeContact: ['Phone call'], OwnTimes: ' ' });
  expect((await mailOf(silent)).mail.text).toMatch(/^=+\nCall this person:\n {4}021 000 000\nDO NOT EMAIL/);
  expect(hasSafeTimes(silent)).toBe(false);
  expect(hasSafeTimes(stored('help', {}, { answers: { sealed: 'x' } }))).toBe(false);
});

test('a message whose form asks when to call says so above the number', async () => {
  const answers = { CallTimes: ['Mornings'], Email: '' };
  expect((await mailOf(askedWhen('contact', answers))).mail.text).toMatch(
    /Call this person only at these times: Mornings\.\nYou can call them:\n {4}021 000 000\n/,
  );
  expect((await mailOf(askedWhen('contact', { CallTimes: ['Mornings'] }))).mail.text).toMatch(
    /^=+\nCall this person only at these times: Mornings\.\n/,
  );
});
