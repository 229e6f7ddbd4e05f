import { crc32 } from 'node:zlib';
import sharp from 'sharp';

/** Small stand-ins for pictures, good and hostile. Small, because a picture is never made larger than it is. */

/** A disc on a plain ground, which is where the eye goes. */
export function drawing(ground = '#28425b', width = 320, height = 240): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
      `<rect width="100%" height="100%" fill="${ground}"/>` +
      `<circle cx="${width / 4}" cy="${height / 2}" r="${height / 8}" fill="#f2b134"/></svg>`,
  );
}

export function photo(ground?: string, width = 64, height = 48): Promise<Buffer> {
  return sharp(drawing(ground, width, height))
    .jpeg()
    .toBuffer();
}

/** Noise, which no encoder can compress. */
export function noise(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  let state = 1;
  for (let at = 0; at < pixels.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    pixels[at] = state >>> 24;
  }
  return pixels;
}

/** A good PNG whose head claims another size: a few hundred bytes that would take gigabytes to decode. */
export async function pngClaiming(width: number, height: number): Promise<Buffer> {
  const png = await sharp(drawing()).png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeInt32BE(crc32(png.subarray(12, 29)) | 0, 29);
  return png;
}
