import type { Logger } from 'pino';
import type { BadContent } from '../content/content.ts';
import { type ContentSource, openContent } from '../content/content-source.ts';
import { createKeptContent } from '../content/last-good-content.ts';
import type { Settings } from '../settings/settings.ts';
import { refuseUnfinishedRestore } from '../store/transfer/unfinished-restore.ts';
import { replaceForeignFiles, reportForeignFiles } from './foreign-files.ts';

/** The content, followed in its folder, and the last that was good kept in DATA_DIR for a start that finds it broken. */
export async function followContent({ contentDir, dataDir }: Settings, log: Logger) {
  reportForeignFiles(dataDir, log);
  // Here, and not where the requests are: a restore that was killed may have brought half of the content.
  refuseUnfinishedRestore(dataDir);
  const kept = createKeptContent(dataDir);
  const keep = () =>
    kept.keep(content.current()).catch((err: unknown) => log.warn({ event: 'content not kept', err }));
  const report = {
    changed() {
      log.info({ event: 'content changed' });
      void keep();
    },
    broken(error: BadContent) {
      for (const { file, line, message } of error.problems)
        log.error({ event: 'content not taken up', file, line, problem: message });
    },
  };
  const content: ContentSource = await openContent(contentDir, report, kept.read);
  replaceForeignFiles(dataDir, log);
  return { content, keep };
}
