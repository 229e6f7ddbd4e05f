import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream, TransformStream } from 'node:stream/web';
import { isDeepStrictEqual } from 'node:util';
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { createTarDecoder, createTarPacker, type ParsedTarEntry } from 'modern-tar';
import { createDecrypter } from '../../server/submissions/seal.ts';
import { CommandFailed } from '../command.ts';

/**
 * A backup is a tar archive, sealed with age where a key was given: `age --decrypt` and `tar` open it too. The last entry is a
 * manifest of the others with their hashes, which shows whether the file was cut off or changed.
 */

type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

export interface Part {
  name: string;
  size: number;
  body: Bytes;
}

export interface Manifest {
  format: 1;
  madeAt: string;
  requests: number;
  undelivered: number;
  files: Record<string, { size: number; sha256: string }>;
}

const manifestName = 'manifest.json';
/** The first bytes of every file that age has sealed. */
const sealedBeginning = 'age-encryption.org/v1';

interface WriteOptions {
  path: string;
  /** Age recipients. The file is not sealed where there are none. */
  recipients: readonly string[];
  parts: AsyncIterable<Part>;
  /** Called once all parts are written. */
  count: () => Pick<Manifest, 'requests' | 'undelivered'>;
  onProgress: (bytes: number, step: 'written' | 'read back') => void;
}

/** Written under a temporary name, synced and read back as a whole before it gets its own name. Never overwrites a file. */
export async function writeBackup({ path, recipients, parts, count, onProgress }: WriteOptions) {
  const partial = `${path}.${randomUUID()}.partial`;
  // The server has no key that opens a sealed file. A key that is never stored reads this one back.
  const once = recipients.length > 0 ? await generateX25519Identity() : null;
  try {
    const { readable, controller } = createTarPacker();
    // The library has the browsers' types of streams, which are the same streams.
    const archive = readable as unknown as ReadableStream<Uint8Array>;
    let written = 0;
    const add = async ({ name, size, body }: Part) => {
      const writer = controller.add({ name, size, type: 'file', mode: 0o600 }).getWriter();
      const hash = createHash('sha256');
      for await (const chunk of body) {
        hash.update(chunk);
        await writer.write(chunk);
        written += chunk.length;
        onProgress(written, 'written');
      }
      await writer.close();
      return { size, sha256: hash.digest('hex') };
    };
    const pack = async (): Promise<Manifest> => {
      try {
        const files: Manifest['files'] = {};
        for await (const part of parts) files[part.name] = await add(part);
        const manifest: Manifest = { format: 1, madeAt: new Date().toISOString(), ...count(), files };
        const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
        await add({ name: manifestName, size: text.length, body: [text] });
        controller.finalize();
        return manifest;
      } catch (error) {
        controller.error(error);
        throw error;
      }
    };
    const [manifest] = await Promise.all([
      pack(),
      seal(archive, once ? [...recipients, await identityToRecipient(once)] : []).then((stream) =>
        pipeline(
          Readable.fromWeb(stream),
          createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true }),
        ),
      ),
    ]);
    let read = 0;
    await readBackup(partial, once, async (_name, body) => {
      for await (const chunk of body) {
        read += chunk.length;
        onProgress(read, 'read back');
      }
    });
    await link(partial, path);
    await syncFolder(dirname(path));
    return manifest;
  } finally {
    await rm(partial, { force: true });
  }
}

async function seal(
  stream: ReadableStream<Uint8Array>,
  recipients: readonly string[],
): Promise<ReadableStream<Uint8Array>> {
  if (recipients.length === 0) return stream;
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return encrypter.encrypt(stream as never) as unknown as Promise<ReadableStream<Uint8Array>>;
}

/**
 * Reads the backup to its end. `onPart` must read each body to its end.
 *
 * @throws {CommandFailed} where the backup is not whole, or was sealed to another key
 */
export async function readBackup(
  path: string,
  identities: string | null,
  onPart: (name: string, body: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<Manifest> {
  const archive = await openArchive(path, identities);
  const found: Manifest['files'] = {};
  let manifest: Manifest | null = null;
  try {
    const decoder = createTarDecoder({ strict: true }) as unknown as TransformStream<
      Uint8Array,
      ParsedTarEntry
    >;
    for await (const { header, body } of archive.pipeThrough(decoder)) {
      const { name, type } = header;
      if (type !== 'file' || name in found) throw new Error('An entry that no backup has');
      const hash = createHash('sha256');
      let size = 0;
      const hashed = (async function* () {
        for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
          hash.update(chunk);
          size += chunk.length;
          yield chunk;
        }
      })();
      if (name === manifestName) manifest = (await json(hashed)) as Manifest;
      else {
        await onPart(name, hashed);
        found[name] = { size, sha256: hash.digest('hex') };
      }
    }
  } catch (error) {
    if (error instanceof CommandFailed || (error as NodeJS.ErrnoException).syscall) throw error;
    throw new CommandFailed(`${path} is damaged, or is not a backup.`, { cause: error });
  }
  if (manifest?.format !== 1 || !isDeepStrictEqual(manifest.files, found))
    throw new CommandFailed(`${path} is incomplete: its list does not match what is in it.`);
  return manifest;
}

async function openArchive(path: string, identities: string | null): Promise<ReadableStream<Uint8Array>> {
  const stream = () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  if (!(await beginsWith(path, sealedBeginning))) return stream();
  if (identities === null)
    throw new CommandFailed(`${path} is sealed. Add --identity FILE, with the private key that opens it.`);
  try {
    return (await createDecrypter(identities).decrypt(
      stream() as never,
    )) as unknown as ReadableStream<Uint8Array>;
  } catch (cause) {
    throw new CommandFailed(`The key does not open ${path}. It was sealed to another one.`, { cause });
  }
}

async function beginsWith(path: string, text: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(text.length), 0, text.length, 0);
    return buffer.toString('latin1') === text;
  } finally {
    await file.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
