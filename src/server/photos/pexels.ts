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

interface PexelsResult {
  photos: PexelsPhoto[];
  /** Set when the quota is used up, to the time when it is renewed. */
  exhaustedUntil: Date | null;
}

/** The message is the response's status text. */
export class PexelsHttpError extends Error {
  override name = 'PexelsHttpError';
  readonly status: number;
  /** From the Retry-After header. */
  readonly retryAfterMs: number | null;
  readonly exhaustedUntil: Date | null;
  constructor(response: Response) {
    super(response.statusText || STATUS_CODES[response.status] || `HTTP ${response.status}`);
    this.status = response.status;
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : null;
    this.exhaustedUntil = exhaustedUntil(response.headers);
  }
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
): Promise<PexelsResult> {
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
    exhaustedUntil: exhaustedUntil(response.headers),
  };
}

/** The headers have the remaining quota, at least with each success, and when it is renewed, in seconds since 1970. */
function exhaustedUntil(headers: Headers): Date | null {
  const remaining = headers.get('x-ratelimit-remaining');
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
  return remaining !== null && Number(remaining) <= 0 && Number.isFinite(reset)
    ? new Date(reset * 1000)
    : null;
}
