import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { meaningsOf } from '../../../model/choice-meanings.ts';
import { findHints, isUrgent } from './answer-hints.ts';

const { site, forms } = shippedContent;
const refusal = "Please don't contact me, I will contact you";
const meanings = meaningsOf(forms.help.definition);
const hintsFor = (answers: Record<string, string | string[]>, touched: string[] = []) =>
  findHints(meanings, { Email: '', Phone: '', ...answers }, touched, site.form, forms.help.definition);

test('a way of contact without its number has a hint at the choice, with a link to the question', () => {
  expect(hintsFor({ SafeContact: ['Phone call'] })).toEqual([
    { key: 'SafeContact', text: 'Which number should we call?', to: 'Phone' },
  ]);
  expect(hintsFor({ SafeContact: ['Phone call'], Phone: '021 000 000' })).toEqual([]);
});

test('an unusable number has no hint while it is typed, and one at its own field once that lost the focus', () => {
  const answers = { Email: 'sample@visitor.example', Phone: 'banana', SafeContact: ['Phone call', 'Email'] };
  expect(hintsFor(answers)).toEqual([]);
  expect(hintsFor(answers, ['Email', 'Phone'])).toEqual([
    { key: 'Phone', text: 'This does not look like a phone number. Can you check it?', to: 'Phone' },
  ]);
  expect(hintsFor({ ...answers, SafeContact: [refusal] }, ['Phone'])).toEqual([]);
});

test('an email with a likely mistake has the address that was meant, to be filled in', () => {
  const answers = { Email: 'sample@gmail,com', SafeContact: ['Email'] };
  expect(hintsFor(answers, ['Email'])).toEqual([
    { key: 'Email', text: 'Did you mean sample@gmail.com?', to: 'Email', fills: 'sample@gmail.com' },
  ]);
  expect(hintsFor({ ...answers, Email: 'sample@gmail.com' }, ['Email'])).toEqual([]);
  // Of braces that somebody typed nothing is filled in.
  const [hint] = hintsFor({ Email: '{meant}@gmail,com' }, ['Email']);
  expect(hint?.text).toBe('Did you mean {meant}@gmail.com?');
});

test('whatever stands in an email or a number, nothing fails, and there is at most one hint for it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (Email, Phone) => {
      const hints = hintsFor({ Email, Phone, SafeContact: ['Phone call', 'Email'] }, ['Email', 'Phone']);
      expect(new Set(hints.map(({ to }) => to)).size).toBe(hints.length);
    }),
  );
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

test('an urgent choice is recognised at its question', () => {
  expect(isUrgent(meanings, 'SupportNeeded', ['Housing', 'Feeling unsafe at home'])).toBe(true);
  expect(isUrgent(meanings, 'SupportNeeded', ['Housing'])).toBe(false);
  // The trust has changed the question since.
  expect(isUrgent(meanings, 'SupportNeeded', true)).toBe(false);
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
