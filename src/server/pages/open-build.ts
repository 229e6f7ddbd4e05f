import { join } from 'node:path';
import type { ContentSource } from '../content/content-source.ts';
import type { Log } from '../log/log.ts';
import { createAwayPage } from './away-page.ts';
import { loadBuiltRenderer } from './built-renderer.ts';
import { startDevelopmentRenderer } from './development-renderer.ts';
import { createEarlierBuilds } from './earlier-builds.ts';

interface BuildParts {
  development: boolean;
  dataDir: string;
  awayDir: string | undefined;
  content: ContentSource;
  now: () => Date;
  log: Pick<Log, 'warn'>;
}

/**
 * The renderer of the pages, and the files of earlier builds, which pages that are still open ask for. `persistBuild`
 * writes what is needed when this server has ended: its files, for the next server, and the away page, for the time
 * between.
 */
export async function openBuild({ development, dataDir, awayDir, content, now, log }: BuildParts) {
  if (development) return { renderer: await startDevelopmentRenderer(), persistBuild: async () => {} };
  const renderer = await loadBuiltRenderer();
  const earlierBuilds = createEarlierBuilds({
    folder: join(dataDir, 'builds'),
    current: renderer.files,
    now,
  });
  const writeAwayPage = awayDir
    ? createAwayPage({ folder: awayDir, renderer, content, now, log })
    : undefined;
  const persistBuild = async () => {
    const stored = earlierBuilds.persist();
    stored.catch((err: unknown) => log.warn({ event: 'build not stored', err }));
    await Promise.allSettled([stored, writeAwayPage?.()]);
  };
  return { renderer, earlierBuilds, persistBuild };
}
