import { join } from 'node:path';
import type { Logger } from 'pino';
import { loadBuiltRenderer } from './built-renderer.ts';
import { startDevelopmentRenderer } from './development-renderer.ts';
import { createEarlierBuilds } from './earlier-builds.ts';

interface BuildParts {
  development: boolean;
  dataDir: string;
  now: () => Date;
  log: Pick<Logger, 'warn'>;
}

/** What draws the pages, with the files of the builds before it, which pages that are still open ask for. */
export async function openBuild({ development, dataDir, now, log }: BuildParts) {
  if (development) return { renderer: await startDevelopmentRenderer(), keepBuild: async () => {} };
  const renderer = await loadBuiltRenderer();
  const earlierBuilds = createEarlierBuilds({
    folder: join(dataDir, 'builds'),
    current: renderer.files,
    now,
  });
  const keepBuild = () =>
    earlierBuilds.keep().catch((err: unknown) => log.warn({ event: 'built files not kept', err }));
  return { renderer, earlierBuilds, keepBuild };
}
