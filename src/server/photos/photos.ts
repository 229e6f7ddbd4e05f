import type { Photo } from '../../model/photo.ts';

/** Where the pages' pictures come from, whichever way they are found. */
export interface Photos {
  /** What is in use, in words for the person who runs the site. */
  readonly description: string;
  /** Never rejects: a search that fails or finds nothing gives an empty list. */
  search(query: string, perPage?: number): Promise<Photo[]>;
  /** Called when a search may now answer differently. Returns a function that stops the calls. */
  onChange(listener: () => void): () => void;
}

/** The files behind the addresses a photo has on this site. */
export interface PhotoFiles {
  /** Null where there is no such file. */
  read(hash: string, name: string): Promise<Buffer | null>;
  /** What is in memory already, by `hash/name`. Absent where nothing is kept. */
  findInMemory?(key: string): Buffer | null;
}
