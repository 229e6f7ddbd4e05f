import { join } from 'node:path';
import type { Logger } from 'pino';
import type { ContentSource } from '../content/content-source.ts';
import { createAwayPage } from './away-page.ts';
import { loadBuiltRenderer } from './built-renderer.ts';
import { startDevelopmentRenderer } from './development-renderer.ts';
import { createEarlierBuilds } from './earlier-builds.ts';

interface BuildParts {
  development: boolean;
  dataDir: string;
  awayDir?: string | undefined;
  content: ContentSource;
  now: () => Date;
  log: Pick<Logger, 'warn'>;
}

/**
 * What draws the pages, with the files of the builds before it, which pages that are still open ask for. `keepBuild`
 * writes what outlasts this server: its own files for a later one, and the page for the time between.
 */
export async function openBuild({ development, dataDir, awayDir, content, now, log }: BuildParts) {
  if (development) return { renderer: await startDevelopmentRenderer(), keepBuild: async () => {} };
  const renderer = await loadBuiltRenderer();
  const earlierBuilds = createEarlierBuilds({
    folder: join(dataDir, 'builds'),
    current: renderer.files,
    now,
  });
  const awayPage = awayDir ? createAwayPage({ folder: awayDir, renderer, content, now, log }) : undefined;
  const keepBuild = async () => {
    const keptFiles = earlierBuilds.keep();
    keptFiles.catch((err: unknown) => log.warn({ event: 'built files not kept', err }));
    await Promise.allSettled([keptFiles, awayPage?.write()]);
  };
  return { renderer, earlierBuilds, keepBuild };
}
