import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PhotoUse } from '../src/model/photo.ts';
import { readContent } from '../src/server/content/content.ts';
import {
  findInLibrary,
  type LibraryPicture,
  type PhotoContent,
  photoUses,
} from '../src/server/photos/library.ts';
import { phoneBytes, renditionsFor } from '../src/server/photos/rendition-specs.ts';
import type { Finding } from './report.ts';

/** The most bytes of AVIF of a cover, header or card picture on a phone. */
export const phoneBudget = phoneBytes;

export interface RenditionSize {
  /** The source's file name. */
  picture: string;
  rendition: string;
  bytes: number;
  /** Held to `phoneBudget`. */
  forPhones: boolean;
}

/** How each picture is shown. A picture that no search of the site finds is left out. */
export function usesOfPictures(content: PhotoContent): Map<LibraryPicture, PhotoUse[]> {
  const uses = new Map<LibraryPicture, PhotoUse[]>();
  for (const [query, wanted] of photoUses(content))
    for (const picture of findInLibrary(content.pictures, query))
      uses.set(picture, [...new Set([...(uses.get(picture) ?? []), ...wanted])]);
  return uses;
}

/** Every rendition that ships with the built-in library. @throws where one is missing: `npm run pictures` makes it. */
export async function listRenditions(contentDir = 'content'): Promise<RenditionSize[]> {
  const sizes = [...usesOfPictures(await readContent(contentDir))].flatMap(([{ file, hash }, uses]) =>
    renditionsFor(uses).map(async ({ name, atMost }) => {
      const { size } = await stat(join(contentDir, 'photos', 'rendered', hash, name));
      return { picture: file, rendition: name, bytes: size, forPhones: atMost !== undefined };
    }),
  );
  return Promise.all(sizes);
}

/** The heaviest picture a phone fetches, of each kind. */
export async function measurePictures(): Promise<Finding[]> {
  const forPhones = (await listRenditions()).filter((one) => one.forPhones);
  return (['cover', 'header', 'card'] as const).map((use) => {
    const sizes = forPhones.filter(({ rendition }) => rendition.startsWith(use)).map(({ bytes }) => bytes);
    return {
      name: `heaviest ${use} on a phone, bytes of AVIF`,
      value: Math.max(...sizes),
      atMost: phoneBudget,
    };
  });
}
