import { cacheExchange, createClient, fetchExchange } from '@urql/core';
import type { Entry } from '../../model/answers.ts';
import type { Definition, FormName } from '../../model/form-field.ts';
import {
  type ErrorCode,
  formQueries,
  operationNames,
  type Receipt,
  submitMutations,
} from '../../model/operations.ts';

/** The four calls. Fetched only when one is made: most visitors read, and the page brought the questions along. */

/** A reply that takes longer is as good as lost; the same token makes a second try safe. */
const replyMs = 20_000;

/**
 * Whoever leaves the site while it is being sent still gets it sent. Browsers do that for up to 64 KiB, and a letter
 * may take three bytes.
 */
const keepaliveLength = 20_000;

const client = createClient({
  url: '/graphql',
  exchanges: [cacheExchange, fetchExchange],
  requestPolicy: 'cache-first',
  preferGetMethod: false,
  fetch: (address, options) =>
    fetch(address, {
      ...options,
      signal: AbortSignal.timeout(replyMs),
      keepalive: String(options?.body).length < keepaliveLength,
    }),
});

/**
 * @param requestPolicy 'network-only' where the form is known to have changed.
 * @throws what went wrong.
 */
export async function fetchDefinition(
  name: FormName,
  requestPolicy: 'cache-first' | 'network-only' = 'cache-first',
): Promise<Definition> {
  const { data, error } = await client.query(formQueries[name], {}, { requestPolicy }).toPromise();
  const definition = data?.[operationNames[name].form];
  if (definition) return definition;
  throw error ?? new Error('The server has no such form');
}

export type PostOutcome = { ok: true; receipt: Receipt } | PostFailure;

/** UNREACHABLE: no answer that makes sense came back. Null: an answer, but a masked error. */
export interface PostFailure {
  ok: false;
  code: ErrorCode | 'UNREACHABLE' | null;
  cause: unknown;
}

export async function postSubmission(
  name: FormName,
  fields: readonly Entry[],
  recaptchaToken: string,
): Promise<PostOutcome> {
  const { data, error } = await client
    .mutation(submitMutations[name], { fields, recaptchaToken })
    .toPromise();
  const receipt = data?.[operationNames[name].submit];
  if (receipt) return { ok: true, receipt };
  const code = error?.networkError ? 'UNREACHABLE' : error?.graphQLErrors[0]?.extensions.code;
  return { ok: false, code: (code as ErrorCode | undefined) ?? null, cause: error };
}
