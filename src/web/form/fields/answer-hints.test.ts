import { expect, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { meaningsOf } from '../../../model/choice-meanings.ts';
import { findHints, isUrgent } from './answer-hints.ts';

const { site, forms } = shippedContent;
const refusal = "Please don't contact me, I will contact you";
const meanings = meaningsOf(forms.help.definition);
const hintsFor = (answers: Record<string, string | string[]>, touched: string[] = []) =>
  findHints(meanings, { Email: '', Phone: '', ...answers }, touched, site.form);

test('a way without what it needs is said where it was chosen, and leads to the question', () => {
  expect(hintsFor({ SafeContact: ['Phone call'] })).toEqual([
    { key: 'SafeContact', text: 'What number can we ring? You chose Phone call.', to: 'Phone' },
  ]);
  expect(hintsFor({ SafeContact: ['Phone call'], Phone: '021 000 000' })).toEqual([]);
});

test('a number that nobody can ring is asked for where a call was chosen, and doubted once it was left', () => {
  const answers = { Email: 'sample@visitor.example', Phone: 'banana', SafeContact: ['Phone call', 'Email'] };
  expect(hintsFor(answers)).toEqual([
    { key: 'SafeContact', text: 'What number can we ring? You chose Phone call.', to: 'Phone' },
  ]);
  expect(hintsFor(answers, ['Email', 'Phone'])).toEqual([
    { key: 'Phone', text: 'This does not look like a phone number. Can you check it?', to: 'Phone' },
  ]);
  expect(hintsFor({ ...answers, SafeContact: [refusal] }, ['Phone'])).toEqual([]);
});

test('a form whose choices ask for nothing knows an email and a number by their keys', () => {
  const doubted = (answers: Record<string, string>) =>
    findHints([], answers, ['FirstName', 'Email', 'Phone'], site.form).map(({ key, text }) => [key, text]);
  expect(doubted({ FirstName: 'S', Email: 'not an email', Phone: '' })).toEqual([
    ['Email', 'This does not look like an email. Can you check it?'],
  ]);
  expect(doubted({ FirstName: 'S', Email: 'sample@visitor.example', Phone: '(03) 000 00 00' })).toEqual([]);
});

test('an urgent choice is told by its question', () => {
  expect(isUrgent(meanings, 'SupportNeeded', ['Housing', 'Feeling unsafe at home'])).toBe(true);
  expect(isUrgent(meanings, 'SupportNeeded', ['Housing'])).toBe(false);
  // The trust has changed the question since.
  expect(isUrgent(meanings, 'SupportNeeded', true)).toBe(false);
});

test('two ways that need the same number ask for it once', () => {
  const hints = hintsFor({ SafeContact: ['Phone call', 'Text message', 'Email'] });
  expect(hints.map(({ to }) => to)).toEqual(['Phone', 'Email']);
});

test('a way and a refusal together are said to be, and nothing is asked for then', () => {
  expect(hintsFor({ SafeContact: ['Phone call', 'Email', refusal] })).toEqual([
    { key: 'SafeContact', text: expect.stringContaining(`“Phone call” and “${refusal}”`) },
  ]);
  expect(hintsFor({ SafeContact: [refusal] })).toEqual([]);
});
