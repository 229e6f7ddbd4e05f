import { type FSWatcher, watch } from 'node:fs';
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

  async function reload(): Promise<void> {
    try {
      const next = await readContent(folder);
      if (JSON.stringify(next) === JSON.stringify(content)) return;
      content = next;
      for (const listener of listeners) await listener(next);
      report.changed();
    } catch (error) {
      // Nothing that is wrong with the content may end a server that has good content.
      report.broken(asBadContent(error));
    }
  }

  const watcher: FSWatcher = watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void reload(), stillMs);
  });
  watcher.unref();

  return {
    current: () => content,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}

function asBadContent(error: unknown): BadContent {
  if (error instanceof BadContent) return error;
  return new BadContent([{ file: '.', line: null, message: `could not be taken up: ${error}` }]);
}
