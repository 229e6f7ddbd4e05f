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

/** Which renditions are made of a picture. Its address contains a hash of these specs, so that a change gives new addresses. */

/** The point of a picture that every crop contains, in percent from its left and top edges. */
export interface Focus {
  x: number;
  y: number;
}

export interface Rendition {
  name: string;
  /** By default as wide as the picture's own shape makes it. */
  width?: number;
  height: number;
  format: ImageFormat;
  quality: number;
  /** In bytes. The quality is lowered until the rendition fits. */
  atMost?: number;
}

/** The most that a phone on a weak signal has to fetch for one picture. */
export const phoneBytes = 40_000;
/** Phones show the crops up to this width in CSS pixels. */
const phoneWidth = 600;

/** At 2× the pixels are so small that the eye does not see what a lower quality loses. */
const quality: Record<ImageFormat, Record<Density, number>> = {
  avif: { 1: 55, 2: 42 },
  webp: { 1: 76, 2: 58 },
  jpeg: { 1: 72, 2: 50 },
};

/** The two sizes that GraphQL clients of the photo service's shape expect. */
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

/** To be raised when renditions.ts cuts or encodes another way, so that the same specs give other pictures. */
const version = 1;
/** Pictures and search results that were stored under other specs are not found under these. */
export const specsKey = JSON.stringify([version, renditionsFor(allUses)]);

/** From everything that decides how the renditions look, so that what an address shows never changes. */
export function pictureHash(source: Uint8Array, focus?: Focus): string {
  const hash = createHash('sha256').update(`${specsKey}\n${focus ? `${focus.x} ${focus.y}` : ''}\n`);
  return hash.update(source).digest('hex').slice(0, 32);
}
