import type { FormName } from '../../src/model/form-field.ts';
import type { Visitor } from './visitor.ts';

/** Filling in the forms as content/ has them, by label, key for key. */
type Fill = (visitor: Visitor, options?: { without?: string }) => Promise<void>;

const first = { 'First name': 'Sample' };
const rest = { Email: 'sample@visitor.example', Subject: 'A quiet word' };

async function type(visitor: Visitor, answers: Record<string, string>, without?: string): Promise<void> {
  for (const [label, words] of Object.entries(answers)) {
    if (label !== without) await visitor.answer(label, words);
  }
}

export const fill: Record<FormName, Fill> = {
  async help(visitor, { without } = {}) {
    await visitor.tick('Someone to talk to');
    await type(visitor, first, without);
    // Its question appears.
    await visitor.tick('Email');
    await visitor.press('Tell us more');
    await type(visitor, { ...rest, 'Tell us what is going on': 'Some words about it.' }, without);
  },
  contact: (visitor, { without } = {}) =>
    type(visitor, { ...first, ...rest, 'Your message to us': 'Some words about it.' }, without),
};

/** What the fields of a form filled in so hold. */
export const filled: Record<FormName, string[]> = {
  help: [
    'Someone to talk to',
    'Sample',
    'Email',
    'sample@visitor.example',
    'A quiet word',
    'Some words about it.',
  ],
  contact: ['Sample', 'sample@visitor.example', 'A quiet word', 'Some words about it.'],
};
