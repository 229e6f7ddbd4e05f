import { expect, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { meaningsOf } from '../../../model/choice-meanings.ts';
import { findHints } from './answer-hints.ts';

const { site, forms } = shippedContent;
const refusal = "Please don't contact me, I will contact you";
const meanings = meaningsOf(forms.help.definition);
const hintsFor = (answers: Record<string, string | string[]>, touched: string[] = []) =>
  findHints(meanings, { Email: '', Phone: '', ...answers }, touched, site.form, forms.help.definition);

test('a way of contact without its number has a hint at the choice, with a link to the question', () => {
  expect(hintsFor({ SafeContact: ['Phone call'] })).toEqual([
    { key: 'SafeContact', text: 'What number can we ring? You chose Phone call.', to: 'Phone' },
  ]);
  expect(hintsFor({ SafeContact: ['Phone call'], Phone: '021 000 000' })).toEqual([]);
});

test('an unusable number has a hint at the choice while it is typed, and at its own field once that lost the focus', () => {
  const answers = { Email: 'sample@visitor.example', Phone: 'banana', SafeContact: ['Phone call', 'Email'] };
  expect(hintsFor(answers)).toEqual([
    { key: 'SafeContact', text: 'What number can we ring? You chose Phone call.', to: 'Phone' },
  ]);
  expect(hintsFor(answers, ['Email', 'Phone'])).toEqual([
    { key: 'Phone', text: 'This does not look like a phone number. Can you check it?', to: 'Phone' },
  ]);
  expect(hintsFor({ ...answers, SafeContact: [refusal] }, ['Phone'])).toEqual([]);
});

test('without meanings, an email and a number are known by their conventional keys', () => {
  const doubted = (answers: Record<string, string>) =>
    findHints([], answers, ['FirstName', 'Email', 'Phone'], site.form, []).map(({ key, text }) => [
      key,
      text,
    ]);
  expect(doubted({ FirstName: 'S', Email: 'not an email', Phone: '' })).toEqual([
    ['Email', 'This does not look like an email. Can you check it?'],
  ]);
  expect(doubted({ FirstName: 'S', Email: 'sample@visitor.example', Phone: '(03) 000 00 00' })).toEqual([]);
});

test('two ways of contact that need the same number have one hint', () => {
  const hints = hintsFor({ SafeContact: ['Phone call', 'Text message', 'Email'] });
  expect(hints.map(({ to }) => to)).toEqual(['Phone', 'Email']);
});

test('a way of contact together with a refusal has a hint about both, and no other hint', () => {
  expect(hintsFor({ SafeContact: ['Phone call', 'Email', refusal] })).toEqual([
    { key: 'SafeContact', text: expect.stringContaining(`“Phone call” and “${refusal}”`) },
  ]);
  expect(hintsFor({ SafeContact: [refusal] })).toEqual([]);
});
