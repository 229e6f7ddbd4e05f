import type { Photo } from '../../model/photo.ts';

/** The source of the pages' pictures: the photo service, the trust's own, or the product's. */
export interface Photos {
  /** Which source is in use, for the person who runs the site. */
  readonly description: string;
  /** Never rejects: a search that fails or finds nothing gives an empty list. */
  search(query: string, perPage?: number): Promise<Photo[]>;
  /** Called when searches may find other pictures. Returns a function that stops the calls. */
  onChange(listener: () => void): () => void;
}

/** In the shape of the Pexels API, with the addresses of its renditions on this site. */
export function toPhoto(
  hash: string,
  avg_color: string,
  about: Pick<Photo, 'id' | 'alt' | 'photographer' | 'url' | 'source'>,
): Photo {
  const folder = `/photos/${hash}`;
  const src = { landscape: `${folder}/landscape.jpeg`, medium: `${folder}/medium.jpeg` };
  return { ...about, avg_color, folder, src };
}
