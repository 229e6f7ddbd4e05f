import sharp, { type Sharp } from 'sharp';
import type { Focus, Rendition } from './rendition-specs.ts';

/** Crops and encodes one picture. */

// The same small machine serves the pages, so a picture gets one core at most.
sharp.concurrency(1);
sharp.cache(false);

/** Enough for the widest rendition. A larger source is scaled down to this size first. */
const decodedSize = { width: 3840, height: 800 };
/** A source that takes longer to decode is refused. */
const decodeSeconds = 60;
/** libaom at effort 2 takes an eighth of the time it takes at 4, for files 5 to 10 % larger. */
const encoderOptions = { avif: { effort: 2 }, webp: {}, jpeg: { mozjpeg: true } };
/** Tried in order for a rendition that is too large. Even noise fits below 20. */
const lowerQualities = [45, 36, 28, 21, 15, 10, 6, 3];

/** sRGB, three bytes a pixel. */
interface Pixels {
  pixels: Buffer;
  width: number;
  height: number;
}

interface DecodedPicture extends Pixels {
  /** `#rrggbb`. */
  averageColour: string;
  focus: Focus;
}

const open = ({ pixels, width, height }: Pixels): Sharp =>
  sharp(pixels, { raw: { width, height, channels: 3 } });

/** @throws what sharp throws for bytes that are no picture, or one of more than `maxPixels`. */
export async function decodePicture(
  source: Buffer,
  maxPixels: number,
  focus?: Focus,
): Promise<DecodedPicture> {
  const { format, width: ownWidth, height: ownHeight } = await sharp(source).metadata();
  // A drawing is drawn at the size that is needed, because it has no pixels to enlarge.
  const density =
    format === 'svg'
      ? Math.min(2400, 72 * Math.max(decodedSize.width / ownWidth, decodedSize.height / ownHeight))
      : 72;
  const { data, info } = await sharp(source, { limitInputPixels: maxPixels, density })
    .autoOrient()
    .resize({ ...decodedSize, fit: 'outside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .timeout({ seconds: decodeSeconds })
    .toBuffer({ resolveWithObject: true });
  const size = { pixels: data, width: info.width, height: info.height };
  const { channels } = await open(size).stats();
  const averageColour = `#${channels.map(({ mean }) => Math.round(mean).toString(16).padStart(2, '0')).join('')}`;
  return { ...size, averageColour, focus: focus ?? (await findFocus(size)) };
}

/** The default focus: where the eye goes first, which is mostly faces. */
async function findFocus(picture: Pixels): Promise<Focus> {
  const side = 400;
  const { info } = await open(picture)
    .resize({ width: side, height: side, position: sharp.strategy.attention })
    .toBuffer({ resolveWithObject: true });
  // attentionX and attentionY count pixels of the scaled picture, before the crop.
  const scale = side / Math.min(picture.width, picture.height);
  const percent = (at: number | undefined, length: number) => ((at ?? length / 2) / length) * 100;
  return {
    x: percent(info.attentionX, picture.width * scale),
    y: percent(info.attentionY, picture.height * scale),
  };
}

/** The largest part of a picture in the given shape, as near to its focus as its edges allow. */
export function cropOf(
  picture: Pick<DecodedPicture, 'width' | 'height' | 'focus'>,
  shape: { width: number; height: number },
): { left: number; top: number; width: number; height: number } {
  const scale = Math.min(picture.width / shape.width, picture.height / shape.height);
  const width = Math.min(picture.width, Math.max(1, Math.round(shape.width * scale)));
  const height = Math.min(picture.height, Math.max(1, Math.round(shape.height * scale)));
  const start = (percent: number, part: number, whole: number) =>
    Math.round(Math.min(Math.max((percent / 100) * whole - part / 2, 0), whole - part));
  return {
    left: start(picture.focus.x, width, picture.width),
    top: start(picture.focus.y, height, picture.height),
    width,
    height,
  };
}

/** The bytes of a rendition, never more than `atMost`. A picture smaller than its rendition is not enlarged. */
export async function encode(picture: DecodedPicture, rendition: Rendition): Promise<Buffer> {
  const { height, format, atMost = Number.POSITIVE_INFINITY } = rendition;
  const width = rendition.width ?? Math.max(1, Math.round((picture.width * height) / picture.height));
  const { data, info } = await open(picture)
    .extract(cropOf(picture, { width, height }))
    .resize({ width, height, fit: 'fill', withoutEnlargement: true })
    .toBuffer({ resolveWithObject: true });
  const crop = { pixels: data, width: info.width, height: info.height };
  for (const quality of [rendition.quality, ...lowerQualities.filter((lower) => lower < rendition.quality)]) {
    const bytes = await open(crop)
      .toFormat(format, { quality, ...encoderOptions[format] })
      .toBuffer();
    if (bytes.length <= atMost) return bytes;
  }
  throw new Error(`${rendition.name} does not fit in ${atMost} bytes at any quality`);
}
