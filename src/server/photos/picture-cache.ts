import type { PhotoFiles } from './photos.ts';

/** All built-in pictures in all sizes are 6 MB. */
const keptBytes = 32 * 1024 * 1024;
/** Files open at a time, out of those that connections leave to the rest of the process. */
const readAtOnce = 8;

/**
 * Reads each picture once, however many ask for it and however slowly they take it: there is one copy of it in memory,
 * and not one a request. That is kept while it is wanted often; and anyone who still reads it shares it with who comes.
 */
export function keepPictures(files: PhotoFiles): PhotoFiles {
  /** In the order in which they were last asked for. */
  const kept = new Map<string, Buffer>();
  const inUse = new Map<string, WeakRef<Buffer>>();
  const reading = new Map<string, Promise<Buffer | null>>();
  let size = 0;
  const inTurn = takeTurns(readAtOnce);

  function keep(key: string, bytes: Buffer): void {
    if (!kept.delete(key)) size += bytes.length;
    kept.set(key, bytes);
    for (const [oldest, { length }] of kept) {
      if (size <= keptBytes) break;
      kept.delete(oldest);
      size -= length;
    }
  }

  async function read(hash: string, name: string, key: string): Promise<Buffer | null> {
    const bytes = await inTurn(() => files.read(hash, name));
    if (bytes) inUse.set(key, new WeakRef(bytes));
    return bytes;
  }

  function findInMemory(key: string): Buffer | null {
    const bytes = kept.get(key) ?? inUse.get(key)?.deref() ?? null;
    if (bytes) keep(key, bytes);
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
      if (bytes) keep(key, bytes);
      return bytes;
    },
  };
}

/** At most so many at a time, in the order they came. */
function takeTurns(atOnce: number) {
  let taken = 0;
  const line: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (taken === atOnce) await new Promise<void>((go) => line.push(go));
    else taken++;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else taken--;
    }
  };
}
