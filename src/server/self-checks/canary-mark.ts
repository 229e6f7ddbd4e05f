import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FormName } from '../../model/form-field.ts';
import type { ClientQuota } from '../submissions/quota.ts';

/** Marks a request that the site sent to itself. A header, because URLs are logged by proxies. */
export const markHeader = 'x-awhina-canary';

/** More than the clocks of several servers differ by, and far longer than a request takes. */
const lifetimeMs = 10 * 60_000;
/** A used mark is remembered for as long as it is valid. Only genuine marks are remembered, a few a day. */
const rememberAtMost = 1_000;

type Entries = readonly { key: string; value: unknown }[];

/**
 * Marks that only a server with the secret can make. A mark is for one set of answers, which nobody else sends: a
 * stolen mark cannot make a canary of a person's request.
 */
export function createCanaryMarks(secret: string, now: () => Date) {
  const keyFrom = (from: string) => createHmac('sha256', from).update('canary').digest();
  let key = keyFrom(secret);
  const knownKeys = [key];
  const usedNonces = new Map<string, number>();

  const sign = (by: Buffer, ...parts: unknown[]) =>
    createHmac('sha256', by).update(JSON.stringify(parts)).digest('base64url');

  function make(...content: unknown[]): { mark: string; nonce: string } {
    const seconds = String(Math.floor(now().getTime() / 1_000));
    const nonce = randomBytes(16).toString('base64url');
    return { mark: `${seconds}.${nonce}.${sign(key, seconds, nonce, ...content)}`, nonce };
  }

  /** The key and the nonce of a genuine mark, or null. */
  function read(
    headers: IncomingHttpHeaders,
    content: () => unknown[],
  ): { by: Buffer; nonce: string } | null {
    const given = headers[markHeader];
    if (typeof given !== 'string') return null;
    const [, seconds = '', nonce = '', signature = ''] =
      /^(\d{1,12})\.([\w-]{22})\.([\w-]{43})$/.exec(given) ?? [];
    if (!seconds || Math.abs(now().getTime() - Number(seconds) * 1_000) > lifetimeMs) return null;
    const by = knownKeys.find((one) =>
      timingSafeEqual(Buffer.from(signature), Buffer.from(sign(one, seconds, nonce, ...content()))),
    );
    return by ? { by, nonce } : null;
  }

  function consumeNonce(nonce: string): boolean {
    const at = now().getTime();
    for (const [one, until] of usedNonces) if (until < at) usedNonces.delete(one);
    if (usedNonces.has(nonce) || usedNonces.size >= rememberAtMost) return false;
    // Twice the lifetime: the mark may have been made by a clock that is ahead.
    usedNonces.set(nonce, at + 2 * lifetimeMs);
    return true;
  }

  return {
    /** A mark for exactly these answers, valid once, for ten minutes. */
    markAnswers: (form: FormName, entries: Entries): string => make('answers', form, inOrder(entries)).mark,
    /** A mark for a page request, and the response header of a server that has our secret. */
    markPageRequest() {
      const { mark, nonce } = make('look');
      return { mark, expectedResponse: sign(key, 'seen', nonce) };
    },
    /** The response header for a marked page request; null without a genuine mark. */
    signResponse(headers: IncomingHttpHeaders): string | null {
      const found = read(headers, () => ['look']);
      return found && sign(found.by, 'seen', found.nonce);
    },
    /** The quota of this request, which can tell whether the site itself sent it. */
    withCanaryMark(quota: ClientQuota, headers: IncomingHttpHeaders): ClientQuota {
      if (headers[markHeader] === undefined) return quota;
      // One request may be checked twice, with one mark.
      let isOurs: boolean | null = null;
      return {
        ...quota,
        isCanary(form, entries) {
          const found = read(headers, () => ['answers', form, inOrder(entries)]);
          isOurs ??= found !== null && consumeNonce(found.nonce);
          return isOurs && found !== null;
        },
      };
    },
    /** Uses the shared secret of the database from now on. Marks made with the former secret stay valid. */
    setSecret(shared: string): void {
      key = keyFrom(shared);
      if (!knownKeys.some((one) => one.equals(key))) knownKeys.push(key);
    },
  };
}

export type CanaryMarks = ReturnType<typeof createCanaryMarks>;

/** Sorted, since the order of the answers does not matter. */
function inOrder(entries: Entries): unknown[] {
  return entries
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ key, value }) => [key, value]);
}
