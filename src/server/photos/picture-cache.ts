import type { PhotoFiles } from './photos.ts';

/** All built-in pictures in all sizes are 6 MB. */
const cacheBytes = 32 * 1024 * 1024;
/** Files that are open at once. Connections leave 200 to the rest of the process (connections.ts). */
const readAtOnce = 8;

/**
 * Reads each picture once, however many visitors ask for it and however slowly they fetch it: memory has one copy for all
 * requests. The cache holds the most recently used pictures. A picture that is no longer in the cache, but still being
 * sent, is shared too (`inUse`).
 */
export function cachePictures(files: PhotoFiles): PhotoFiles {
  /** The least recently used first. */
  const cache = new Map<string, Buffer>();
  const inUse = new Map<string, WeakRef<Buffer>>();
  const reading = new Map<string, Promise<Buffer | null>>();
  let size = 0;
  const limited = limitConcurrency(readAtOnce);

  function put(key: string, bytes: Buffer): void {
    if (!cache.delete(key)) size += bytes.length;
    cache.set(key, bytes);
    for (const [oldest, { length }] of cache) {
      if (size <= cacheBytes) break;
      cache.delete(oldest);
      size -= length;
    }
  }

  async function read(hash: string, name: string, key: string): Promise<Buffer | null> {
    const bytes = await limited(() => files.read(hash, name));
    if (bytes) inUse.set(key, new WeakRef(bytes));
    return bytes;
  }

  function findInMemory(key: string): Buffer | null {
    const bytes = cache.get(key) ?? inUse.get(key)?.deref() ?? null;
    if (bytes) put(key, bytes);
    return bytes;
  }

  return {
    findInMemory,
    async read(hash, name) {
      const key = `${hash}/${name}`;
      const found = findInMemory(key);
      if (found) return found;
      inUse.delete(key);
      const pending = reading.get(key) ?? read(hash, name, key).finally(() => reading.delete(key));
      reading.set(key, pending);
      const bytes = await pending;
      if (bytes) put(key, bytes);
      return bytes;
    },
  };
}

/** Runs at most so many tasks at a time, in the order they came. */
function limitConcurrency(atOnce: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running === atOnce) await new Promise<void>((start) => waiting.push(start));
    else running++;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
