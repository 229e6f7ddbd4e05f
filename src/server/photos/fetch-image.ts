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

export async function fetchImage(
  address: string,
  origin: string,
  limits: ImageLimits,
  closing: AbortSignal,
): Promise<Fetched> {
  const refused = (problem: string) => ({ ok: false, problem }) as const;
  if (!URL.canParse(address) || new URL(address).origin !== origin) {
    return refused("is not at the service's own host");
  }
  let bytes: Buffer | null;
  try {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(limits.ms)]);
    const response = await fetch(address, { redirect: 'manual', signal });
    if (response.status !== 200) {
      await response.body?.cancel();
      const redirect = response.status >= 300 && response.status < 400;
      return refused(redirect ? 'is a redirect' : `answered ${response.status}`);
    }
    bytes = await readBounded(response, limits.bytes);
  } catch (error) {
    return refused((error as Error).name === 'TimeoutError' ? 'took too long' : 'could not be fetched');
  }
  if (!bytes) return { ...refused(`has more than ${limits.bytes} bytes`), tooLarge: true };
  return checkImage(bytes, limits.pixels);
}

async function checkImage(bytes: Buffer, maxPixels: number): Promise<Fetched> {
  const kind = kinds.find(([, starts]) => starts(bytes))?.[0];
  if (!kind) return { ok: false, problem: 'is not a JPEG, PNG or WebP picture' };
  try {
    // Reads the header only. Without sharp's own limit, so that the problem can be named.
    const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (format !== kind) return { ok: false, problem: 'is not what it begins as' };
    if (width * height > maxPixels) {
      return { ok: false, problem: `has more than ${maxPixels} pixels`, tooLarge: true };
    }
  } catch {
    return { ok: false, problem: 'is broken' };
  }
  return { ok: true, bytes };
}
