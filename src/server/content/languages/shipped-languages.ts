import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameKey } from './confirmations.ts';
import { keyOf } from './gather-sentences.ts';
import { languagesFolder, listPoFiles } from './read-po.ts';
import { readTranslated } from './update-po.ts';

/** The translations that come with the product: those of the example trust's site. */
const exampleContent = fileURLToPath(new URL('../../../../content', import.meta.url));

/** What the product has read of its own files. A file that was changed since is somebody else's. */
const confirmed: Readonly<Record<string, { by: string; on: string; sha256: string }>> = {
  'en-NZ-x-easy.po': {
    by: 'the Āwhina project',
    on: '2026-11-19',
    sha256: '08a9dab1c79d28ba972962413f67aa6b5a5ff6e36c0522d1d1e8096e0d973c3f',
  },
};

/** The names of the files. */
export const listShipped = async (): Promise<string[]> => (await listPoFiles(exampleContent)).names;

/** '' where the product has no such file. */
export function readShipped(name: string): string {
  const path = join(exampleContent, languagesFolder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

export interface ShippedLanguage {
  by: string;
  on: string;
  /** The translations by their keys, with the language's own name. */
  words: ReadonlyMap<string, string>;
}

/** What the product offers by itself in the language of this file. Null for any other file. */
export function readConfirmedShipped(name: string): ShippedLanguage | null {
  const about = Object.hasOwn(confirmed, name) ? confirmed[name] : undefined;
  const source = about ? readShipped(name) : '';
  if (!about || hashOf(source) !== about.sha256) return null;
  const { head, entries } = readTranslated(source);
  const words = new Map(
    entries.map(({ msgctxt = '', msgid, msgstr }) => [keyOf(msgctxt, msgid), msgstr[0] ?? '']),
  );
  return { by: about.by, on: about.on, words: words.set(nameKey, head['X-Name'] ?? '') };
}

export const hashOf = (source: string): string => createHash('sha256').update(source).digest('hex');
