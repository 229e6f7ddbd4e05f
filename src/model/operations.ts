import { forms } from './forms.ts';
import { mapValues } from './map-values.ts';

/** The GraphQL operations of the pages, two a form. The language is the tag of the page's; null for the original. */

const fieldSelection = '{ key type displayName description required choices choiceLabels }';

const query = (name: string) =>
  `query ${name}($language: String) { ${name}(language: $language) ${fieldSelection} }`;

export const formQueries = mapValues(forms, ({ operations }) => query(operations.form));

const mutation = (name: string) =>
  `mutation ${name}($fields: [AnswerInput!]!, $recaptchaToken: String!, $language: String) { ${name}(fields: $fields, recaptchaToken: $recaptchaToken, language: $language) { reference receivedAt } }`;

export const submitMutations = mapValues(forms, ({ operations }) => mutation(operations.submit));

/** The document in which a page of version 1.2 sends the original's form. One may still be open. */
export const withoutLanguage = (document: string): string =>
  document.replace(/\(\$?language: \$?\w+\)|, \$?language: \$?\w+| choiceLabels/g, '');

export interface Receipt {
  reference: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
}

/** `extensions.code` of an error that the pages handle. Any other error is masked. */
export type ErrorCode = 'BAD_ANSWERS' | 'BOT_CHECK_FAILED' | 'RATE_LIMITED' | 'UNAVAILABLE';
