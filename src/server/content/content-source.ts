import { type FSWatcher, type WatchListener, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { BadContent, type Content, readContent } from './content.ts';

export interface ContentSource {
  /** The last good content. */
  current(): Content;
  /** Called after each change that was taken up. Returns a function that stops the calls. */
  onChange(listener: (content: Content) => void | Promise<void>): () => void;
  close(): void;
}

export interface ContentReport {
  changed(): void;
  /** The change is not taken up: the last good content stays. */
  broken(error: BadContent): void;
}

/** Editors save in several steps; a change counts once the folder has been still this long. */
const stillMs = 150;

/** Reads content/ and follows its changes. @throws {BadContent} when what is there at the start is not right. */
export async function openContent(folder: string, report: ContentReport): Promise<ContentSource> {
  let content = await readContent(folder);
  let timer: NodeJS.Timeout | undefined;
  const listeners = new Set<(content: Content) => void | Promise<void>>();

  let readings = 0;
  async function reload(): Promise<void> {
    const reading = ++readings;
    try {
      const next = await readContent(folder);
      // An older reading that took longer must not replace a newer.
      if (reading !== readings) return;
      if (JSON.stringify(next) === JSON.stringify(content)) return;
      content = next;
      for (const listener of listeners) await listener(next);
      report.changed();
    } catch (error) {
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
