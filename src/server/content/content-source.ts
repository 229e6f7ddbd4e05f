import { type FSWatcher, type WatchListener, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { BadContent, type Content, describeProblem, readContent } from './content.ts';

export interface ContentSource {
  /** The last good content. */
  current(): Content;
  /** Called after each change that was taken up. Returns a function that stops the calls. */
  onChange(listener: (content: Content) => void | Promise<void>): () => void;
  /** What is wrong with the folder, so that something older is served; null while there is nothing. */
  fault(): ContentFault | null;
  close(): void;
}

export interface ContentFault {
  error: BadContent;
  /** Whether this server has served nothing but the kept content since it started. */
  atStart: boolean;
  /** In milliseconds, by a clock that nobody sets. */
  since: number;
}

/** In one sentence, for whoever has to find the line. */
export function describeFault({ error: { problems } }: Pick<ContentFault, 'error'>): string {
  const [first] = problems;
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
  return `the content is not right, so the last that was is shown: ${first ? describeProblem(first, ' ') : ''}${more}`;
}

/** Who edits saves more than once. Staff hear of a mistake that stays, and at once of one that a start found. */
const lastingMs = 15 * 60_000;

export function describeLastingFault(
  fault: ContentFault | null,
  now: number = performance.now(),
): string | null {
  return fault && (fault.atStart || now - fault.since >= lastingMs) ? describeFault(fault) : null;
}

export interface ContentReport {
  changed(): void;
  /** The change is not taken up: the last good content stays. */
  broken(error: BadContent): void;
}

/** Editors save in several steps; a change counts once the folder has been still this long. */
const stillMs = 150;

/**
 * Reads content/ and follows its changes. What is not right at the start is reported too, and what was kept is served.
 * @throws {BadContent} where nothing was.
 */
export async function openContent(
  folder: string,
  report: ContentReport,
  readKept: () => Promise<Content | null> = async () => null,
): Promise<ContentSource> {
  let fault: ContentFault | null = null;
  let content = await readContent(folder).catch(async (error: unknown) => {
    const kept = error instanceof BadContent ? await readKept() : null;
    if (!(error instanceof BadContent) || !kept) throw error;
    fault = { error, atStart: true, since: performance.now() };
    report.broken(error);
    return kept;
  });
  let timer: NodeJS.Timeout | undefined;
  const listeners = new Set<(content: Content) => void | Promise<void>>();

  let readings = 0;
  async function reload(): Promise<void> {
    const reading = ++readings;
    try {
      const next = await readContent(folder);
      // An older reading that took longer must not replace a newer.
      if (reading !== readings) return;
      const mended = fault !== null;
      fault = null;
      if (JSON.stringify(next) !== JSON.stringify(content)) {
        content = next;
        for (const listener of listeners) await listener(next);
      } else if (!mended) return;
      report.changed();
    } catch (error) {
      if (error instanceof BadContent && reading === readings) {
        const { atStart = false, since = performance.now() } = fault ?? {};
        fault = { error, atStart, since };
      }
      // Nothing that is wrong with the content may end a server that has good content.
      report.broken(asBadContent('could not be taken up', error));
    }
  }

  function follow(path: string, recursive: boolean, onEvent: WatchListener<string>): FSWatcher | undefined {
    const failed = (error: unknown) => report.broken(asBadContent('changes are not followed', error));
    try {
      return watch(path, { recursive }, onEvent).on('error', failed).unref();
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  let inside: FSWatcher | undefined;
  let replaced = false;

  function reloadWhenStill(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // A watch stays with the folder it was opened on, also when that is moved away and another put in its place.
      if (replaced) followInside();
      void reload();
    }, stillMs);
  }

  function followInside(): void {
    inside?.close();
    inside = follow(folder, true, reloadWhenStill);
    replaced = false;
  }

  followInside();
  const name = basename(resolve(folder));
  const beside = follow(dirname(resolve(folder)), false, (_event, changed) => {
    if (changed !== name) return;
    replaced = true;
    reloadWhenStill();
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
      inside?.close();
      beside?.close();
    },
  };
}

function asBadContent(what: string, error: unknown): BadContent {
  if (error instanceof BadContent) return error;
  return new BadContent([{ file: '.', line: null, message: `${what}: ${error}` }]);
}
