import sharp from 'sharp';
import { readBounded } from '../files/read-bounded.ts';

/** Fetches a picture from the photo service, and checks it before anything decodes it. */

export type Fetched = { ok: true; bytes: Buffer } | { ok: false; problem: string; tooLarge?: true };

export interface ImageLimits {
  bytes: number;
  pixels: number;
  ms: number;
}

/** A good camera's photo fits. A small machine does not have the memory to decode a larger one. */
export const imageLimits: ImageLimits = { bytes: 24_000_000, pixels: 60_000_000, ms: 30_000 };

/** Only formats of nothing but pixels. An SVG is a document, which could contain scripts and addresses. */
const kinds: [format: string, starts: (bytes: Buffer) => boolean][] = [
  ['jpeg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['png', (bytes) => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n'],
  ['webp', (bytes) => /^RIFF.{4}WEBP$/s.test(bytes.subarray(0, 12).toString('latin1'))],
];

/** Where the service's pictures are. A mirror or a fake has them on its own host. */
export function imageOrigin(serviceUrl: string): string {
  const { origin, hostname } = new URL(serviceUrl);
  return hostname === 'api.pexels.com' ? 'https://images.pexels.com' : origin;
}

const refuse = (problem: string) => ({ ok: false, problem }) as const;

export async function fetchImage(
  address: string,
  origin: string,
  limits: ImageLimits,
  closing: AbortSignal,
): Promise<Fetched> {
  if (!URL.canParse(address) || new URL(address).origin !== origin)
    return refuse("is not at the service's own host");
  try {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(limits.ms)]);
    const response = await fetch(address, { redirect: 'manual', signal });
    const { status } = response;
    if (status !== 200) {
      await response.body?.cancel();
      return refuse(status >= 300 && status < 400 ? 'is a redirect' : `answered ${status}`);
    }
    const bytes = await readBounded(response, limits.bytes);
    if (!bytes) return { ...refuse(`has more than ${limits.bytes} bytes`), tooLarge: true };
    return await checkImage(bytes, limits.pixels);
  } catch (error) {
    return refuse((error as Error).name === 'TimeoutError' ? 'took too long' : 'could not be fetched');
  }
}

async function checkImage(bytes: Buffer, maxPixels: number): Promise<Fetched> {
  const kind = kinds.find(([, starts]) => starts(bytes))?.[0];
  if (!kind) return refuse('is not a JPEG, PNG or WebP picture');
  // Reads the header only. Without sharp's own limit, so that the problem can be named.
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (!header) return refuse('is broken');
  if (header.format !== kind) return refuse('is not what it begins as');
  if (header.width * header.height <= maxPixels) return { ok: true, bytes };
  return { ...refuse(`has more than ${maxPixels} pixels`), tooLarge: true };
}
