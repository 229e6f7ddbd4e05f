import { createHash } from 'node:crypto';
import {
  type Crop,
  crops,
  type Density,
  densities,
  type ImageFormat,
  imageFormats,
  type PhotoUse,
  renditionName,
} from '../../model/photo.ts';

/** What is made of a picture, and how good. A picture's address follows from it, so a change here gives new ones. */

/** Where to look in a picture, in percent from its left and top edges: a crop keeps it in sight. */
export interface Focus {
  x: number;
  y: number;
}

export interface Rendition {
  name: string;
  /** Not given: as wide as the picture's own shape makes it. */
  width?: number;
  height: number;
  format: ImageFormat;
  quality: number;
  /** In bytes. The quality is lowered until it fits. */
  atMost?: number;
}

/** What a phone on a weak signal may be asked to fetch for one picture. */
export const phoneBytes = 40_000;
/** Crops up to this width, in CSS pixels, are the ones phones show. */
const phoneWidth = 600;

/** At 2× the pixels are too small for the eye to see what a lower quality loses. */
const quality: Record<ImageFormat, Record<Density, number>> = {
  avif: { 1: 55, 2: 42 },
  webp: { 1: 76, 2: 58 },
  jpeg: { 1: 72, 2: 50 },
};

/** The two sizes the stock-photo service's own shape promises. */
const serviceSizes: readonly Rendition[] = [
  { name: 'landscape.jpeg', width: 1200, height: 627, format: 'jpeg', quality: 72 },
  { name: 'medium.jpeg', height: 350, format: 'jpeg', quality: 72 },
];

function rendition(use: PhotoUse, crop: Crop, density: Density, format: ImageFormat): Rendition {
  return {
    name: renditionName(use, crop, density, format),
    width: crop.width * density,
    height: crop.height * density,
    format,
    quality: quality[format][density],
    ...(format === 'avif' && crop.width <= phoneWidth ? { atMost: phoneBytes } : {}),
  };
}

export function renditionsFor(uses: Iterable<PhotoUse>): Rendition[] {
  const ofUses = [...uses].flatMap((use) =>
    crops[use].flatMap((crop) =>
      densities.flatMap((density) => imageFormats.map((format) => rendition(use, crop, density, format))),
    ),
  );
  return [...serviceSizes, ...ofUses];
}

export const allUses = Object.keys(crops) as PhotoUse[];

/** Raised when renditions.ts cuts or encodes another way: the same recipe then gives other pictures. */
const version = 1;
/** What was kept under another recipe is not to be found under this one. */
export const recipe = JSON.stringify([version, renditionsFor(allUses)]);

/** Names a picture by all that decides how its renditions look: addresses made of it never change what they show. */
export function pictureHash(source: Uint8Array, focus?: Focus): string {
  const hash = createHash('sha256').update(`${recipe}\n${focus ? `${focus.x} ${focus.y}` : ''}\n`);
  return hash.update(source).digest('hex').slice(0, 32);
}
