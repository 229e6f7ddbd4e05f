import { existsSync, readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readSettings } from '../../server/settings/settings.ts';
import { describeUnreachable, explainUnreachable } from '../../server/start/start-problems.ts';
import { databasePath } from '../../server/store/sqlite/database-file.ts';
import { refuseUnfinishedRestore } from '../../server/store/transfer/unfinished-restore.ts';
import { isRecipient } from '../../server/submissions/recipient.ts';
import { type Command, CommandFailed, onlyOne, UsageError } from '../command.ts';
import { createProgress, print, remark, styled } from '../terminal.ts';
import { refuseMissingDatabase, showWhichData } from '../with-store.ts';
import { writeBackup } from './backup-file.ts';
import { collectParts } from './backup-parts.ts';

export const backup: Command = {
  summary: 'back up everything into one file, while the server runs',
  usage: `awhina backup FILE [options]

  --to age1…       seal it to this public key; repeat it for several. Without it, SEAL_TO is used
  --with-secrets   include the passwords and keys in the settings

  FILE gets the requests with where their mail stands, the mails in DATA_DIR/mail, the content and the settings. Only you
  can read it, and an existing file stays as it is. It is read back as a whole before it gets its name.
  awhina restore FILE puts it back.`,

  async run(args) {
    const options = {
      to: { type: 'string', multiple: true },
      'with-secrets': { type: 'boolean' },
    } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const path = onlyOne(positionals, 'Say where to: awhina backup awhina-2026-11-15.backup');
    const wrong = values.to?.find((one) => !isRecipient(one));
    if (wrong) throw new UsageError('--to must be a public key of age, which begins with age1');

    const settings = readSettings();
    const { dataDir, databaseUrl } = settings;
    refuseUnfinishedRestore(dataDir);
    if (!databaseUrl) refuseMissingDatabase(dataDir);
    if (existsSync(path)) throw new CommandFailed(`${path} already exists. Choose another name.`);
    showWhichData(databaseUrl ? 'PostgreSQL' : `SQLite in ${databasePath(dataDir)}`, settings);
    const recipients = values.to ?? settings.sealTo;
    const progress = createProgress();
    const percent = (done: number, total: number) =>
      progress.say(`database: ${Math.round((100 * done) / Math.max(total, 1))} %`);
    const { parts, count, hasContent } = collectParts({
      settings,
      withSecrets: values['with-secrets'] ?? false,
      onProgress: percent,
    });
    const { requests, undelivered } = await writeBackup({
      path,
      recipients,
      parts,
      count,
      onProgress: (bytes, what) => progress.say(`${Math.round(bytes / 1_000_000)} MB ${what}`),
    })
      .catch(explainFailure(path))
      .finally(progress.end);
    print(
      `${path}: ${requests} requests, ${undelivered} of them accepted by no mail server yet. Read back and complete.`,
    );
    if (!hasContent()) remark(styled('yellow', `No content is in it: ${whyNoContent(settings.contentDir)}`));
    if (recipients.length === 0)
      remark(
        styled(
          'yellow',
          'It is not sealed: anyone who has this file can read the requests. --to age1… seals it.',
        ),
      );
    return 0;
  },
};

function whyNoContent(contentDir: string): string {
  const cure = 'Set CONTENT_DIR to the folder that has site.yaml in it, or run this in the trust’s folder.';
  try {
    readdirSync(contentDir);
    return `there is no file in ${contentDir}. ${cure}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT'
      ? `there is no ${contentDir}. ${cure}`
      : `${contentDir} cannot be read (${code}).`;
  }
}

/** A failure that a person can fix is told in one sentence. */
function explainFailure(path: string) {
  return (error: NodeJS.ErrnoException): never => {
    if (error.code === 'EEXIST') throw new CommandFailed(`${path} already exists. Choose another name.`);
    if (error.code === 'ECONNREFUSED' || error.syscall === 'getaddrinfo' || explainUnreachable(error))
      throw new CommandFailed(describeUnreachable(error), { cause: error });
    if (error.syscall)
      throw new CommandFailed(`${path} could not be written (${error.code}).`, { cause: error });
    throw error;
  };
}
