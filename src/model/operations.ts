import type { FormName } from './form-field.ts';

/** The four GraphQL operations of the pages. The language is the tag of the page's; null for the original. */

const fieldSelection = '{ key type displayName description required choices choiceLabels }';

const query = (name: string) =>
  `query ${name}($language: String) { ${name}(language: $language) ${fieldSelection} }`;

export const formQueries = {
  help: query('getHelpForm'),
  contact: query('getContactForm'),
} as const satisfies Record<FormName, string>;

const mutation = (name: string) =>
  `mutation ${name}($fields: [AnswerInput!]!, $recaptchaToken: String!, $language: String) { ${name}(fields: $fields, recaptchaToken: $recaptchaToken, language: $language) { reference receivedAt } }`;

export const submitMutations = {
  help: mutation('submitHelpRequest'),
  contact: mutation('submitContactRequest'),
} as const satisfies Record<FormName, string>;

/**
 * The document of version 1.1, which knows no languages. A page in the original sends it, because during an upgrade of several
 * servers the one that answers may be of that version; a page of that version that is still open sends it too.
 */
export const withoutLanguage = (document: string): string =>
  document.replace(/\(\$?language: \$?\w+\)|, \$?language: \$?\w+| choiceLabels/g, '');

/** The keys of an operation's result in `data`. */
export const operationNames = {
  help: { form: 'getHelpForm', submit: 'submitHelpRequest' },
  contact: { form: 'getContactForm', submit: 'submitContactRequest' },
} as const satisfies Record<FormName, { form: string; submit: string }>;

export interface Receipt {
  reference: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
}

/** `extensions.code` of an error that the pages handle. Any other error is masked. */
export type ErrorCode = 'BAD_ANSWERS' | 'BOT_CHECK_FAILED' | 'RATE_LIMITED' | 'UNAVAILABLE';
