import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { readBounded } from '../files/read-bounded.ts';

/** The stock-photo service's search, as it is asked over HTTP. */

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
  // Becomes a link on the page.
  url: link,
  src: z.object({ original: link, large2x: link }),
});
const answerSchema = z.object({ photos: z.array(z.unknown()) });

export type PexelsPhoto = z.output<typeof photoSchema>;

export interface PexelsAnswer {
  photos: PexelsPhoto[];
  /** Set when no request is left, to when there will be some again. */
  exhaustedUntil: Date | null;
}

/** Its message is the answer's status text. */
export class PexelsHttpError extends Error {
  override name = 'PexelsHttpError';
  readonly status: number;
  /** How long the service asked to be left alone. */
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

/** Nobody waits for this but a background task. */
const searchTimeoutMs = 15_000;
/** 80 photos, the most there can be in an answer, take about 100 kB. */
const answerBytes = 1_000_000;

/** @throws {PexelsHttpError} for any answer but a good one, and what fetch throws where there is none. */
export async function searchPexels(
  { apiKey, url, timeoutMs = searchTimeoutMs }: PexelsAccess,
  query: string,
  perPage = 5,
  closing = new AbortController().signal,
): Promise<PexelsAnswer> {
  const response = await fetch(
    `${url}/v1/search?${new URLSearchParams({ query, per_page: String(perPage) })}`,
    // The key must not travel on to wherever a redirect leads.
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
  const body = await readBounded(response, answerBytes);
  if (!body) throw new RangeError(`The answer has more than ${answerBytes} bytes`);
  const { photos } = answerSchema.parse(JSON.parse(body.toString('utf8')));
  return {
    // One photo that lacks something must not cost the others.
    photos: photos.flatMap((photo) => photoSchema.safeParse(photo).data ?? []).slice(0, perPage),
    exhaustedUntil: exhaustedUntil(response.headers),
  };
}

/** The service tells what is left, at least with each good answer, and when the count starts anew, in seconds since 1970. */
function exhaustedUntil(headers: Headers): Date | null {
  const remaining = headers.get('x-ratelimit-remaining');
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
  return remaining !== null && Number(remaining) <= 0 && Number.isFinite(reset)
    ? new Date(reset * 1000)
    : null;
}
