import type { FormName } from '../../src/model/form-field.ts';
import type { Visitor } from './visitor.ts';

/** Filling in the forms as content/ has them, by label, key for key. */
export const fill: Record<FormName, (visitor: Visitor) => Promise<void>> = {
  async help(visitor) {
    await visitor.answer('First name', 'Sample');
    await visitor.answer('Email', 'sample@visitor.example');
    await visitor.tick('Text message');
    await visitor.tick('Someone to talk to');
    await visitor.answer('Subject', 'A quiet word');
    await visitor.answer('Tell us what is going on', 'Some words about it.');
  },
  async contact(visitor) {
    await visitor.answer('First name', 'Sample');
    await visitor.answer('Email', 'sample@visitor.example');
    await visitor.answer('Subject', 'A quiet word');
    await visitor.answer('Your message to us', 'Some words about it.');
  },
};

/** What the fields of a form filled in so hold. */
export const filled: Record<FormName, string[]> = {
  help: [
    'Sample',
    'sample@visitor.example',
    'Text message',
    'Someone to talk to',
    'A quiet word',
    'Some words about it.',
  ],
  contact: ['Sample', 'sample@visitor.example', 'A quiet word', 'Some words about it.'],
};
