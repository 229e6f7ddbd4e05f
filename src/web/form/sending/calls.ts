import type { Entry } from '../../../model/answers.ts';
import type { FormName } from '../../../model/form-field.ts';
import { forms } from '../../../model/forms.ts';
import { type ErrorCode, type Receipt, submitMutations } from '../../../model/operations.ts';
import { withTimeout } from '../../with-timeout.ts';
import { PermanentError, responseError } from './permanent-error.ts';

/**
 * The GraphQL calls that submit a form. They use fetch, without a client library that would have to be downloaded: a chunk that is
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
  data?: Record<string, Receipt | undefined> | null;
  errors?: { message: string; extensions?: { code: ErrorCode } }[];
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
  const operationName = forms[name].operations.submit;
  const variables = { fields, recaptchaToken, language };
  const body = JSON.stringify({ operationName, variables, query: submitMutations[name] });
  try {
    const { data, errors } = await withTimeout(Math.min(remainingMs, replyMs), (signal) =>
      post(body, signal),
    );
    const receipt = data?.[operationName];
    if (receipt) return { ok: true, receipt };
    const error = errors?.[0];
    return { ok: false, code: error?.extensions?.code ?? null, cause: error?.message };
  } catch (cause) {
    return failure(cause);
  }
}

/** @throws where the reply is not one of this site's. */
async function post(body: string, signal: AbortSignal): Promise<Reply> {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body,
    keepalive: body.length < keepaliveLength,
    signal,
  });
  const reply = parse(await response.text());
  if (reply?.data || reply?.errors) return reply;
  throw responseError('The call', response.status);
}

/** Null for a reply that is not JSON, such as a proxy's error page. */
function parse(text: string): Reply | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function failure(cause: unknown): PostFailure {
  return { ok: false, code: cause instanceof PermanentError ? 'PERMANENT' : 'UNREACHABLE', cause };
}
