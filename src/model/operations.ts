import type { FormName } from './form-field.ts';

/** The four GraphQL operations of the pages. The language is the tag of the page's; null for the original. */

const fieldSelection = '{ key type displayName description required choices choiceLabels }';

export const formQueries = {
  help: `query getHelpForm($language: String) { getHelpForm(language: $language) ${fieldSelection} }`,
  contact: `query getContactForm($language: String) { getContactForm(language: $language) ${fieldSelection} }`,
} as const satisfies Record<FormName, string>;

const submitVariables = '($fields: [AnswerInput!]!, $recaptchaToken: String!, $language: String)';
const submitArguments = '(fields: $fields, recaptchaToken: $recaptchaToken, language: $language)';

export const submitMutations = {
  help: `mutation submitHelpRequest${submitVariables} { submitHelpRequest${submitArguments} { reference receivedAt } }`,
  contact: `mutation submitContactRequest${submitVariables} { submitContactRequest${submitArguments} { reference receivedAt } }`,
} as const satisfies Record<FormName, string>;

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
