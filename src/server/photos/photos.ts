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

/** The files behind the addresses of photos on this site. */
export interface PhotoFiles {
  /** Null where there is no such file. */
  read(hash: string, name: string): Promise<Buffer | null>;
  /** A file that is in memory, by `hash/name`. Absent where nothing is cached. */
  findInMemory?(key: string): Buffer | null;
}
