import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files in a folder and below it that contain this text, in any encoding that the site or a mail uses. */
export function filesWith(folder: string, text: string): string[] {
  const needles = [Buffer.from(text), Buffer.from(text, 'utf16le')];
  // Base64 in a mail: the middle of the word, whichever of the three ways it falls into groups.
  for (let shift = 0; shift < 3; shift++) {
    const groups = Buffer.from(' '.repeat(shift) + text).toString('base64');
    needles.push(Buffer.from(groups.slice(4, Math.floor(groups.length / 4) * 4 - 4)));
  }
  return filesIn(folder).filter((path) => {
    const bytes = readIfThere(path);
    return needles.some((needle) => bytes.includes(needle));
  });
}

/** Nothing where a browser that is still running has deleted the file meanwhile. */
function readIfThere(path: string): Buffer {
  try {
    return readElsewhere(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/**
 * Reads the site's database in another process. POSIX locks belong to a process and end when it closes any handle of the file: a
 * store that is open in this process would lose its locks, and another process could delete its log.
 */
function readElsewhere(path: string): Buffer {
  if (!path.endsWith('awhina.sqlite')) return readFileSync(path);
  return execFileSync('cat', [path], { maxBuffer: Number.POSITIVE_INFINITY });
}

/** Every match in the folder's files. */
export function matchesIn(folder: string, pattern: RegExp): Set<string> {
  return new Set(
    filesIn(folder).flatMap((path) => readElsewhere(path).toString('latin1').match(pattern) ?? []),
  );
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
