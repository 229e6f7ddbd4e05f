import type { Entry } from '../../src/model/answers.ts';
import type { FormName } from '../../src/model/form-field.ts';
import { forms } from '../../src/model/forms.ts';
import { type Receipt, submitMutations, withoutLanguage } from '../../src/model/operations.ts';

/** Each visitor has another address, so that no limit is reached. For servers that trust 127.0.0.1 as their proxy. */
export const trustTheVisitor = { TRUST_PROXY: '127.0.0.1' };
export const anyAddress = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`;

export interface Reply {
  status: number;
  data: Record<string, never> | null;
  errors: { message: string; extensions?: { code: string } }[];
}

export async function postGraphql(url: string, query: string, variables: object = {}): Promise<Reply> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': anyAddress() },
    body: JSON.stringify({ query, variables }),
  });
  const { data = null, errors = [] } = (await response.json()) as Partial<Reply>;
  return { status: response.status, data, errors };
}

/** Posts any body, and returns the whole response. */
export async function postBody(url: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': anyAddress(), ...headers },
    body,
  });
  return { status: response.status, text: await response.text() };
}

/** Sends a form as a page in the original does, which any version takes. Resolves with the receipt or the error code; rejects without a response. */
export async function send(
  url: string,
  form: FormName,
  fields: readonly Entry[] | readonly object[],
  recaptchaToken: string,
): Promise<Receipt | string> {
  const { data, errors } = await postGraphql(url, withoutLanguage(submitMutations[form]), {
    fields,
    recaptchaToken,
  });
  return data?.[forms[form].operations.submit] ?? errors[0]?.extensions?.code ?? 'no code';
}

export const isReceipt = (result: Receipt | string): result is Receipt => typeof result !== 'string';
