import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { po } from 'gettext-parser';
import type { ContentProblem, ReadResult } from '../read-yaml.ts';

/** The translations, content/languages/*.po: a gettext file for each language, named by its tag. */

export const languagesFolder = 'languages';

/** More than any trust has, and few enough that a folder full of files does not slow down a start. */
const mostFiles = 40;
/** In kB. A whole site has about 100, and 40 files of this size are read within seconds. */
const largestKb = 500;
const largestFile = largestKb * 1_000;

export interface PoEntry {
  context: string;
  original: string;
  translation: string;
  /** The translation was made for other words of the original, and nobody has looked at it since. */
  isFuzzy: boolean;
  line: number | null;
}

export interface PoFile {
  /** By names in lower case. */
  head: ReadonlyMap<string, string>;
  entries: PoEntry[];
}

/** The names of the files, without those that are too many. */
export async function listPoFiles(
  contentDir: string,
): Promise<{ names: string[]; problems: ContentProblem[] }> {
  const problem = (message: string) => ({ file: languagesFolder, line: null, message });
  let all: string[] = [];
  try {
    all = await readdir(join(contentDir, languagesFolder));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A site without this folder is in one language, which is no mistake.
    return { names: [], problems: code === 'ENOENT' ? [] : [problem(`could not be read (${code})`)] };
  }
  // Leaves out the copies that editors make of open files, and the compiled files (.mo) that Poedit makes.
  const names = all.filter((name) => /^[^.#].*\.po$/.test(name)).toSorted();
  if (names.length <= mostFiles) return { names, problems: [] };
  const tooMany = problem(`has ${names.length} files, and only the first ${mostFiles} are read`);
  return { names: names.slice(0, mostFiles), problems: [tooMany] };
}

const wrongIn =
  (file: string) =>
  (message: string, line: number | null = null): ReadResult<PoFile> => ({
    ok: false,
    problems: [{ file, line, message }],
  });

export async function readPoFile(contentDir: string, name: string): Promise<ReadResult<PoFile>> {
  const file = `${languagesFolder}/${name}`;
  const wrong = wrongIn(file);
  try {
    const bytes = await readBounded(join(contentDir, file));
    return bytes ? parsePo(bytes, file) : wrong(`is larger than ${largestKb} kB: is it the right file?`);
  } catch (error) {
    return wrong(`could not be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Null for a file that is too large, of which no more is read. */
async function readBounded(path: string): Promise<Buffer | null> {
  const handle = await open(path);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(largestFile + 1));
    return bytesRead > largestFile ? null : buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const notUtf8 = 'is not in UTF-8: save it as UTF-8 (in Poedit: Translation, Properties, Charset)';

export function parsePo(bytes: Uint8Array, file: string): ReadResult<PoFile> {
  const wrong = wrongIn(file);
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return wrong(notUtf8);
  }
  try {
    // As text, and not as bytes: the parser would believe any encoding that the file names.
    const { headers, translations } = po.parse(source, { validation: true });
    const lines = findLines(source);
    const head = new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
    const entries = Object.values(translations)
      .flatMap((sentences) => Object.values(sentences))
      .filter(({ msgctxt, msgid }) => msgctxt || msgid)
      .map(({ msgctxt = '', msgid, msgstr, comments }) => ({
        context: msgctxt,
        original: msgid,
        translation: msgstr[0] ?? '',
        isFuzzy: /\bfuzzy\b/.test(comments?.flag ?? ''),
        line: lines.get(msgctxt) ?? null,
      }));
    if (!/^utf-?8$/i.test(charsetOf(head))) return wrong(notUtf8, 1);
    return { ok: true, value: { head, entries } };
  } catch (error) {
    const { message, lineNumber = null } = error as Error & { lineNumber?: number };
    return wrong(
      `cannot be read as a PO file: ${message.replace(/^Error parsing PO data: /, '')}`,
      lineNumber,
    );
  }
}

const charsetOf = (head: PoFile['head']): string =>
  /charset\s*=\s*([\w-]+)/i.exec(head.get('content-type') ?? 'charset=utf-8')?.[1] ?? '';

/** The line of each context, which the parser does not tell. */
function findLines(source: string): Map<string, number> {
  const found = new Map<string, number>();
  source.split('\n').forEach((line, index) => {
    const context = /^\s*msgctxt\s+"(.*)"\s*$/.exec(line)?.[1];
    if (context !== undefined && !found.has(context)) found.set(context, index + 1);
  });
  return found;
}
