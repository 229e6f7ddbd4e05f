import type { Photo } from '../../model/photo.ts';

/** The addresses of a picture's renditions on this site. */
export function photoAddresses(hash: string): Pick<Photo, 'folder' | 'src'> {
  const folder = `/photos/${hash}`;
  return { folder, src: { landscape: `${folder}/landscape.jpeg`, medium: `${folder}/medium.jpeg` } };
}
