import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { libraryFolder } from '../photos/library.ts';
import { BadContent, type Content, describeProblem, readContent } from './content.ts';
import { languagesFolder } from './languages/read-po.ts';
import { ownPagesFolder } from './own-pages.ts';

export interface ContentSource {
  /** The last good content. */
  current(): Content;
  /** Calls the listener after each change that has no mistake. Returns a function that stops the calls. */
  onChange(listener: (content: Content) => void | Promise<void>): () => void;
  /** What is wrong with the content folder while older content is served. Null while nothing is wrong. */
  fault(): ContentFault | null;
  close(): void;
}

interface ContentFault {
  error: BadContent;
  /** Whether the content has been broken since the start. */
  atStart: boolean;
  /** In milliseconds of the monotonic clock. */
  since: number;
}

/** One sentence, with the file and the line. */
export function describeFault({ error: { problems } }: Pick<ContentFault, 'error'>): string {
  const [first] = problems;
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
  return `the content is not right, so the last that was is shown: ${first ? describeProblem(first, ' ') : ''}${more}`;
}

/** Staff are told of a mistake after this long, because an editor may save several times; of a mistake at the start, at once. */
const reportAfterMs = 15 * 60_000;

export function describeLastingFault(
  fault: ContentFault | null,
  now: number = performance.now(),
): string | null {
  return fault && (fault.atStart || now - fault.since >= reportAfterMs) ? describeFault(fault) : null;
}

interface ContentReport {
  changed(): void;
  /** The last good content is still served. */
  broken(error: BadContent): void;
}

/** Editors save in several steps. The folder is read again once two looks at it, so far apart, find the same change. */
const lookEveryMs = 250;

/**
 * Reads content/ and follows its changes. Content that is broken at the start is reported, and the last good content is
 * served.
 * @throws {BadContent} where there is no last good content.
 */
export async function openContent(
  folder: string,
  report: ContentReport,
  readLastGood: () => Promise<Content | null> = async () => null,
  /** @throws {BadContent} what the settings do not allow */
  refuse: (content: Content) => void = () => {},
): Promise<ContentSource> {
  const read = async () => {
    const content = await readContent(folder);
    refuse(content);
    return content;
  };
  let fault: ContentFault | null = null;
  // Before the first reading, so that a change during it is found.
  let stamp = await stampOf(folder);
  let content = await read().catch(async (error: unknown) => {
    const lastGood = error instanceof BadContent ? await readLastGood() : null;
    if (!(error instanceof BadContent) || !lastGood) throw error;
    fault = { error, atStart: true, since: performance.now() };
    report.broken(error);
    return lastGood;
  });
  const listeners = new Set<(content: Content) => void | Promise<void>>();

  async function reload(): Promise<void> {
    try {
      const next = await read();
      const hadFault = fault !== null;
      fault = null;
      if (JSON.stringify(next) !== JSON.stringify(content)) {
        content = next;
        for (const listener of listeners) await listener(next);
      } else if (!hadFault) return;
      report.changed();
    } catch (error) {
      if (error instanceof BadContent) {
        const { atStart = false, since = performance.now() } = fault ?? {};
        fault = { error, atStart, since };
      }
      // Broken content does not end a server that has good content.
      const message = `could not be taken up: ${error}`;
      report.broken(
        error instanceof BadContent ? error : new BadContent([{ file: '.', line: null, message }]),
      );
    }
  }

  let readStamp = stamp;
  let timer = setTimeout(look, lookEveryMs).unref();
  let isClosed = false;
  async function look(): Promise<void> {
    const previous = stamp;
    stamp = (await stampOf(folder)) ?? previous;
    if (stamp === previous && stamp !== readStamp && !isClosed) {
      readStamp = stamp;
      await reload();
    }
    if (!isClosed) timer = setTimeout(look, lookEveryMs).unref();
  }

  return {
    current: () => content,
    fault: () => fault,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Where content is read from, below its folder. */
const folders = ['.', 'forms', ownPagesFolder, languagesFolder, libraryFolder];

/** Another one after each change of a file. Null while the process has too many files open to look. */
async function stampOf(folder: string): Promise<string | null> {
  const stampOfFile = (path: string) =>
    stat(path).then(({ ino, size, ctimeMs }) => `${path} ${ino} ${size} ${ctimeMs}`, codeOf);
  const stampOfFolder = (path: string) =>
    readdir(path).then((names) => Promise.all(names.map((name) => stampOfFile(join(path, name)))), codeOf);
  const stamps = folders.map((name) => stampOfFolder(join(folder, name)));
  return Promise.all(stamps).then(String, () => null);
}

function codeOf(error: NodeJS.ErrnoException): string | undefined {
  if (error.code === 'EMFILE' || error.code === 'ENFILE') throw error;
  return error.code;
}
