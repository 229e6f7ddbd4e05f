import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { readBounded } from '../files/read-bounded.ts';

/** The stock-photo service's search over HTTP. */

export interface PexelsAccess {
  apiKey: string;
  /** The service's base address. */
  url: string;
  timeoutMs?: number | undefined;
}

const link = z.url({ protocol: /^https?$/ });
const photoSchema = z.object({
  id: z.int().transform(String),
  alt: z.string().nullish(),
  photographer: z.string(),
  // A link on the page.
  url: link,
  src: z.object({ original: link, large2x: link }),
});
const resultSchema = z.object({ photos: z.array(z.unknown()) });

export type PexelsPhoto = z.output<typeof photoSchema>;

/** The message is the response's status text. */
export class PexelsHttpError extends Error {
  readonly status: number;
  readonly headers: Headers;
  constructor({ status, statusText, headers }: Response) {
    super(statusText || STATUS_CODES[status] || `HTTP ${status}`);
    this.status = status;
    this.headers = headers;
  }
}

/** Until when the service asks to be left alone, in milliseconds since 1970. Null: it does not. */
export function pausedUntil(headers: Headers, now: number): number | null {
  const read = (name: string) => Number(headers.get(name) ?? Number.NaN);
  const [reset, retryAfter] = [read('x-ratelimit-reset'), read('retry-after')];
  if (read('x-ratelimit-remaining') <= 0 && Number.isFinite(reset)) return reset * 1000;
  return Number.isFinite(retryAfter) ? now + retryAfter * 1000 : null;
}

/** Long, because only a background task waits. */
const searchTimeoutMs = 15_000;
/** 80 photos, the most that a search can find, take about 100 kB. */
const maxResultBytes = 1_000_000;

/** @throws {PexelsHttpError} for any status but success, and what fetch throws where there is no response. */
export async function searchPexels(
  { apiKey, url, timeoutMs = searchTimeoutMs }: PexelsAccess,
  query: string,
  perPage = 5,
  closing = new AbortController().signal,
): Promise<{ photos: PexelsPhoto[]; headers: Headers }> {
  const response = await fetch(
    `${url}/v1/search?${new URLSearchParams({ query, per_page: String(perPage) })}`,
    // A redirect must not get the key.
    {
      headers: { authorization: apiKey },
      redirect: 'error',
      signal: AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]),
    },
  );
  if (!response.ok) {
    await response.body?.cancel();
    throw new PexelsHttpError(response);
  }
  const body = await readBounded(response, maxResultBytes);
  if (!body) throw new RangeError(`The answer has more than ${maxResultBytes} bytes`);
  const { photos } = resultSchema.parse(JSON.parse(body.toString('utf8')));
  return {
    // A photo that lacks something is left out without losing the others.
    photos: photos.flatMap((photo) => photoSchema.safeParse(photo).data ?? []).slice(0, perPage),
    headers: response.headers,
  };
}
