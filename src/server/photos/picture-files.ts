import { extname } from 'node:path';
import { type FindReady, prepareReply, type ReadyResponse } from '../http/ready-responses.ts';
import type { RenditionStore } from './rendition-store.ts';

export const pictureRoute = '/photos/:hash/:file';

/** All built-in pictures in all sizes are 6 MB. */
const heldBytes = 32 * 1024 * 1024;

/** The files behind the addresses of photos on this site. */
export interface PictureFiles {
  /** Those that are in memory, by address. */
  find: FindReady;
  /** Null where there is no such file. */
  read(hash: string, name: string): Promise<ReadyResponse | null>;
}

/**
 * Reads each picture once, however many visitors ask for it and however slowly they fetch it. Files are read one after the
 * other, so that a crowd takes one open file.
 */
export function holdPictures(store: Pick<RenditionStore, 'read'>): PictureFiles {
  const held = new Map<string, ReadyResponse>();
  let size = 0;
  let reading: Promise<unknown> = Promise.resolve();

  async function readOnce(hash: string, name: string): Promise<ReadyResponse | null> {
    const address = `/photos/${hash}/${name}`;
    const found = held.get(address);
    if (found) return found;
    const bytes = await store.read(hash, name);
    if (!bytes) return null;
    const type = `image/${extname(name).slice(1)}`;
    const reply = prepareReply(
      { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' },
      bytes,
    );
    const ready = { route: pictureRoute, replyTo: () => reply };
    size += bytes.length;
    if (size > heldBytes) {
      held.clear();
      size = bytes.length;
    }
    held.set(address, ready);
    return ready;
  }

  return {
    find: (address) => held.get(address) ?? null,
    read(hash, name) {
      const read = reading.then(() => readOnce(hash, name));
      reading = read.catch(() => {});
      return read;
    },
  };
}
