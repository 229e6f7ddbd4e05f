import type { BadContent } from '../content/content.ts';
import { type ContentSource, openContent } from '../content/content-source.ts';
import { describeWithdrawn } from '../content/languages/shown-languages.ts';
import { createLastGoodContent } from '../content/last-good-content.ts';
import { refuseLongClosures } from '../content/long-closures.ts';
import type { Log } from '../log/log.ts';
import type { Settings } from '../settings/settings.ts';
import { refuseUnfinishedRestore } from '../store/transfer/unfinished-restore.ts';
import { replaceForeignFiles, reportForeignFiles } from './foreign-files.ts';

/** Reads the content and watches its folder. The last good content is stored in DATA_DIR, for a start with broken content. */
export async function openSiteContent(settings: Settings, log: Log) {
  const { contentDir, dataDir, unseenRetentionDays } = settings;
  reportForeignFiles(dataDir, log);
  // Before the content is read: a restore that was killed may have restored half of it.
  refuseUnfinishedRestore(dataDir);
  const lastGood = createLastGoodContent(dataDir);
  const save = () =>
    lastGood.save(content.current()).catch((err: unknown) => log.warn({ event: 'content not saved', err }));
  const report = {
    changed() {
      log.info({ event: 'content changed' });
      reportLanguages(content, log);
      void save();
    },
    broken(error: BadContent) {
      for (const { file, line, message } of error.problems)
        log.error({ event: 'content has a mistake', file, line, problem: message });
    },
  };
  const content: ContentSource = await openContent(contentDir, report, lastGood.read, (read) =>
    refuseLongClosures(read, unseenRetentionDays, new Date()),
  );
  reportLanguages(content, log);
  replaceForeignFiles(dataDir, log);
  return { content, saveContent: save };
}

/** A language that is no longer offered is gone from the pages without anybody having been asked. */
function reportLanguages(content: ContentSource, log: Log): void {
  const withdrawn = describeWithdrawn(content.current());
  if (withdrawn) log.error({ event: 'languages withdrawn', problem: withdrawn });
  for (const { file, notOffered } of content.current().languages)
    for (const reason of notOffered) log.warn({ event: 'language not offered', file, problem: reason });
  for (const { file, message } of content.current().languageProblems)
    log.warn({ event: 'languages not read', file, problem: message });
}
