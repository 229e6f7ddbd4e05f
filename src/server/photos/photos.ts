import type { Photo, PhotoUse } from '../../model/photo.ts';
import type { RenditionStore } from './rendition-store.ts';

/** The source of the pages' pictures: the photo service, the trust's own, or the product's. */
export interface Photos {
  /** Which source is in use, for the person who runs the site. */
  readonly description: string;
  /** Never rejects: a search that fails or finds nothing gives an empty list. */
  search(query: string, perPage?: number): Promise<Photo[]>;
  /** Called when searches may find other pictures. Returns a function that stops the calls. */
  onChange(listener: () => void): () => void;
}

export type FoundPicture = Pick<Photo, 'id' | 'alt' | 'photographer' | 'url' | 'source'> & { hash: string };

/** Those of which every rendition for these uses is made, with their addresses on this site. */
export async function findMade(
  store: Pick<RenditionStore, 'find'>,
  found: readonly FoundPicture[],
  uses: ReadonlySet<PhotoUse>,
): Promise<Photo[]> {
  const photos = found.map(async ({ hash, ...about }) => {
    const avg_color = await store.find(hash, uses);
    const folder = `/photos/${hash}`;
    const src = { landscape: `${folder}/landscape.jpeg`, medium: `${folder}/medium.jpeg` };
    return avg_color === null ? [] : [{ ...about, avg_color, folder, src }];
  });
  return (await Promise.all(photos)).flat();
}
