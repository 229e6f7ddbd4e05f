import { expect, test } from 'vitest';
import { shippedContent } from '../../../test/support/forms.ts';
import { meaningsOf } from '../../model/choice-meanings.ts';
import { findHints } from './hints.ts';

const { site, forms } = shippedContent;
const refusal = "Please don't contact me, I will contact you";
const hintsFor = (answers: Record<string, string | string[]>) =>
  findHints(meaningsOf(forms.help.definition), { Email: '', Phone: '', ...answers }, site.form);

test('a way without what it needs is said where it was chosen, and leads to the question', () => {
  expect(hintsFor({ SafeContact: ['Phone call'] })).toEqual([
    { key: 'SafeContact', text: 'What number can we ring? You chose Phone call.', to: 'Phone' },
  ]);
  expect(hintsFor({ SafeContact: ['Phone call'], Phone: '021 000 000' })).toEqual([]);
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
