import type { Entry } from '../../../model/answers.ts';
import type { Definition, FormName } from '../../../model/form-field.ts';
import { forms } from '../../../model/forms.ts';
import { type ErrorCode, formQueries, type Receipt, submitMutations } from '../../../model/operations.ts';
import { withTimeout } from '../../with-timeout.ts';
import { PermanentError, responseError } from './permanent-error.ts';

/**
 * The GraphQL calls. They use fetch, without a client library that would have to be downloaded: a chunk that is
 * fetched at the press of Send can be lost then (docs/decisions/0011).
 */

/** A retry with the same token is safe, so there is no use in waiting longer for a reply. */
const replyMs = 20_000;

/**
 * In characters. A keepalive request survives when the visitor leaves the site; browsers allow 64 KiB for it, and a
 * character may take three bytes.
 */
const keepaliveLength = 20_000;

interface Reply {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions?: { code: ErrorCode } }[];
}

/** @throws where the reply is not one of this site's. */
async function call(
  operationName: string,
  query: string,
  variables: object,
  language: string | null,
  remainingMs: number,
): Promise<Reply> {
  const body = JSON.stringify({ operationName, variables: { ...variables, language }, query });
  const { status, text } = await withTimeout(Math.min(remainingMs, replyMs), async (signal) => {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
      },
      body,
      keepalive: body.length < keepaliveLength,
      signal,
    });
    return { status: response.status, text: await response.text() };
  });
  const reply = parse(text);
  if (reply?.data || reply?.errors) return reply;
  throw responseError('The call', status);
}

/** Null for a reply that is not JSON, such as a proxy's error page. */
function parse(text: string): Reply | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export async function fetchDefinition(
  name: FormName,
  language: string | null,
  remainingMs: number,
): Promise<Definition> {
  const operation = forms[name].operations.form;
  const { data, errors } = await call(operation, formQueries[name], {}, language, remainingMs);
  const definition = data?.[operation];
  if (definition) return definition as Definition;
  throw new Error(errors?.[0]?.message);
}

export type PostOutcome = { ok: true; receipt: Receipt } | PostFailure;

export interface PostFailure {
  ok: false;
  code: FailureCode;
  cause: unknown;
}

/**
 * UNREACHABLE: no usable reply came. PERMANENT: a reply came that will be the same the next time. Null: a masked error of
 * the server.
 */
type FailureCode = ErrorCode | 'UNREACHABLE' | 'PERMANENT' | null;

/** @param language the tag of the translation in which the form was read; null for the original. */
export async function postSubmission(
  name: FormName,
  fields: readonly Entry[],
  recaptchaToken: string,
  language: string | null,
  remainingMs: number,
): Promise<PostOutcome> {
  try {
    const variables = { fields, recaptchaToken };
    const operation = forms[name].operations.submit;
    const { data, errors } = await call(operation, submitMutations[name], variables, language, remainingMs);
    const receipt = data?.[operation];
    if (receipt) return { ok: true, receipt: receipt as Receipt };
    const error = errors?.[0];
    return { ok: false, code: error?.extensions?.code ?? null, cause: error?.message };
  } catch (cause) {
    return failure(cause);
  }
}

export function failure(cause: unknown): PostFailure {
  return { ok: false, code: cause instanceof PermanentError ? 'PERMANENT' : 'UNREACHABLE', cause };
}
