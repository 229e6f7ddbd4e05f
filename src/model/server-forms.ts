import type { FormName } from './form-field.ts';

interface ServerForm {
  /** What staff call a submission. */
  noun: string;
  /** The same, where nothing else says which form is meant. */
  plural: string;
  /** The setting with the addresses of its mailbox. */
  mailTo: `MAIL_TO_${string}`;
  /**
   * Whether staff may reply where the form does not ask which ways are safe. A person who writes a message wants an answer at
   * that address; a person who asks for help may be watched.
   */
  mayReplyUnasked: boolean;
  /** Of its bars in the weekly letter, and in the report: a colour of the trust's theme. */
  bar: { colour: string; character: string; themeColour: 'accent' | 'primary' };
}

/** The other half of forms.ts: one entry for each form, what only the server and staff's tools need. */
export const serverForms = {
  help: {
    noun: 'request',
    plural: 'requests for help',
    mailTo: 'MAIL_TO_HELP',
    mayReplyUnasked: false,
    bar: { colour: '#28425b', character: '█', themeColour: 'accent' },
  },
  contact: {
    noun: 'message',
    plural: 'messages',
    mailTo: 'MAIL_TO_CONTACT',
    mayReplyUnasked: true,
    bar: { colour: '#5f8fb5', character: '░', themeColour: 'primary' },
  },
} as const satisfies Record<FormName, ServerForm>;

/** The one that the canary sends. */
export const canaryForm: FormName = 'help';

/** For a submission that does not say of which form it is: in doubt nobody may be contacted. */
export const unknownForm: FormName = 'help';
