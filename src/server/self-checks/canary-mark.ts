import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FormName } from '../../model/form-field.ts';
import type { ClientQuota } from '../submissions/quota.ts';

/** By which a request says that the site sent it to itself. A header, because addresses are written into logs. */
export const markHeader = 'x-awhina-canary';

/** What the clocks of several servers may differ by, and far longer than a request takes. */
const lifetimeMs = 10 * 60_000;
/** A mark is remembered for as long as it could be used again. Only our own are, and there are a few a day. */
const rememberAtMost = 1_000;

type Entries = readonly { key: string; value: unknown }[];

export interface CanaryMarks {
  /** For exactly these answers, once, within minutes. */
  markAnswers(form: FormName, entries: Entries): string;
  /** To look at a page, and what a site says to it that has our secret. */
  markPageRequest(): { mark: string; expectedResponse: string };
  /** What to say to whoever looks: null where they do so without a mark. */
  signResponse(headers: IncomingHttpHeaders): string | null;
  /** The quota of this request, who can tell whether it is the site itself. */
  withCanaryMark(quota: ClientQuota, headers: IncomingHttpHeaders): ClientQuota;
  /** Servers that share a database share the secret in it. Marks made with the one before are still taken. */
  adopt(secret: string): void;
}

/**
 * Marks that only a server with the secret can make. One is for one set of answers, and ours are like nobody's: so what
 * a person wrote cannot become a canary, whoever sees a mark and puts it on something else.
 */
export function createCanaryMarks(secret: string, now: () => Date): CanaryMarks {
  const keyFrom = (from: string) => createHmac('sha256', from).update('canary').digest();
  let key = keyFrom(secret);
  const known = [key];
  const spent = new Map<string, number>();

  const sign = (by: Buffer, ...parts: unknown[]) =>
    createHmac('sha256', by).update(JSON.stringify(parts)).digest('base64url');

  function make(...content: unknown[]): { mark: string; nonce: string } {
    const seconds = String(Math.floor(now().getTime() / 1_000));
    const nonce = randomBytes(16).toString('base64url');
    return { mark: `${seconds}.${nonce}.${sign(key, seconds, nonce, ...content)}`, nonce };
  }

  /** The key it was made with and what makes it different from every other, or null where it is none of ours. */
  function read(
    headers: IncomingHttpHeaders,
    content: () => unknown[],
  ): { by: Buffer; nonce: string } | null {
    const given = headers[markHeader];
    if (typeof given !== 'string') return null;
    const [, seconds = '', nonce = '', signature = ''] =
      /^(\d{1,12})\.([\w-]{22})\.([\w-]{43})$/.exec(given) ?? [];
    if (!seconds || Math.abs(now().getTime() - Number(seconds) * 1_000) > lifetimeMs) return null;
    const by = known.find((one) =>
      timingSafeEqual(Buffer.from(signature), Buffer.from(sign(one, seconds, nonce, ...content()))),
    );
    return by ? { by, nonce } : null;
  }

  function spend(nonce: string): boolean {
    const at = now().getTime();
    for (const [one, until] of spent) if (until < at) spent.delete(one);
    if (spent.has(nonce) || spent.size >= rememberAtMost) return false;
    // Twice, since it may have been made by a clock that is ahead.
    spent.set(nonce, at + 2 * lifetimeMs);
    return true;
  }

  return {
    markAnswers: (form, entries) => make('answers', form, inOrder(entries)).mark,
    markPageRequest() {
      const { mark, nonce } = make('look');
      return { mark, expectedResponse: sign(key, 'seen', nonce) };
    },
    signResponse(headers) {
      const found = read(headers, () => ['look']);
      return found && sign(found.by, 'seen', found.nonce);
    },
    withCanaryMark(quota, headers) {
      if (headers[markHeader] === undefined) return quota;
      // A form may be tried in two ways in one request, with one mark.
      let isOurs: boolean | null = null;
      return {
        ...quota,
        isCanary(form, entries) {
          const found = read(headers, () => ['answers', form, inOrder(entries)]);
          isOurs ??= found !== null && spend(found.nonce);
          return isOurs && found !== null;
        },
      };
    },
    adopt(shared) {
      key = keyFrom(shared);
      if (!known.some((one) => one.equals(key))) known.push(key);
    },
  };
}

/** The same for the same answers, in whichever order they came. */
function inOrder(entries: Entries): unknown[] {
  return entries
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ key, value }) => [key, value]);
}
