import { type FSWatcher, type WatchListener, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { BadContent, type Content, describeProblem, readContent } from './content.ts';

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

/** Editors save in several steps. The folder is read again once nothing has changed for this long. */
const quietMs = 150;

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
  let content = await read().catch(async (error: unknown) => {
    const lastGood = error instanceof BadContent ? await readLastGood() : null;
    if (!(error instanceof BadContent) || !lastGood) throw error;
    fault = { error, atStart: true, since: performance.now() };
    report.broken(error);
    return lastGood;
  });
  let timer: NodeJS.Timeout | undefined;
  const listeners = new Set<(content: Content) => void | Promise<void>>();

  let readings = 0;
  async function reload(): Promise<void> {
    const reading = ++readings;
    try {
      const next = await read();
      // A slow read of older files must not replace the result of a newer read.
      if (reading !== readings) return;
      const hadFault = fault !== null;
      fault = null;
      if (JSON.stringify(next) !== JSON.stringify(content)) {
        content = next;
        for (const listener of listeners) await listener(next);
      } else if (!hadFault) return;
      report.changed();
    } catch (error) {
      if (error instanceof BadContent && reading === readings) {
        const { atStart = false, since = performance.now() } = fault ?? {};
        fault = { error, atStart, since };
      }
      // Broken content does not end a server that has good content.
      report.broken(asBadContent('could not be taken up', error));
    }
  }

  function startWatcher(
    path: string,
    recursive: boolean,
    onEvent: WatchListener<string>,
  ): FSWatcher | undefined {
    const failed = (error: unknown) => report.broken(asBadContent('changes are not followed', error));
    try {
      return watch(path, { recursive }, onEvent).on('error', failed).unref();
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  let folderWatcher: FSWatcher | undefined;
  let isFolderReplaced = false;

  function reloadWhenQuiet(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // A watcher follows the folder that it was opened on, even when that folder was moved away and replaced.
      if (isFolderReplaced) watchFolder();
      void reload();
    }, quietMs);
  }

  function watchFolder(): void {
    folderWatcher?.close();
    folderWatcher = startWatcher(folder, true, reloadWhenQuiet);
    isFolderReplaced = false;
  }

  watchFolder();
  const name = basename(resolve(folder));
  const parentWatcher = startWatcher(dirname(resolve(folder)), false, (_event, changed) => {
    if (changed !== name) return;
    isFolderReplaced = true;
    reloadWhenQuiet();
  });

  return {
    current: () => content,
    fault: () => fault,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      clearTimeout(timer);
      folderWatcher?.close();
      parentWatcher?.close();
    },
  };
}

function asBadContent(what: string, error: unknown): BadContent {
  if (error instanceof BadContent) return error;
  return new BadContent([{ file: '.', line: null, message: `${what}: ${error}` }]);
}
