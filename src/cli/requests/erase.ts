import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { eraseRequest, isErasureUnfinished } from '../../server/erasure/erase-request.ts';
import { describeWhenErased } from '../../server/erasure/retention.ts';
import { listFolder } from '../../server/files/access.ts';
import type { Settings } from '../../server/settings/settings.ts';
import type { Store } from '../../server/store/contract/store.ts';
import type { StoredSubmission } from '../../server/store/contract/submission.ts';
import { nzTime } from '../../server/time/nz-time.ts';
import { type Command, CommandFailed, onlyOne } from '../command.ts';
import { askForYes, print, remark, styled } from '../terminal.ts';
import { withStore } from '../with-store.ts';
import { readReference } from './filter-options.ts';
import { tracesLeft } from './purge.ts';

export const erase: Command = {
  summary: 'erase one request for good, because the person asked for it',
  usage: `awhina erase REFERENCE [--yes]

  --yes   do not ask first, for scripts

  It is taken out of the database and its files, with the mail in DATA_DIR/mail. DATA_DIR/erased.log says when
  something was erased, and not what. If it is interrupted, run it again; the server also finishes it. Backups, and the
  mailboxes of staff, are yours to look through.`,
  asOwner: true,

  async run(args) {
    const options = { yes: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const reference = readReference(onlyOne(positionals, 'Say which one: awhina erase HK7W-3RQX'));

    return withStore(async (store, settings, isComplete) => {
      // PostgreSQL cannot be reached, and may have a copy of the request.
      if (!isComplete) throw new CommandFailed('Nothing was erased. Try again when the database is back.');
      const submission = await store.findSubmission(reference);
      const hasRemains =
        isErasureUnfinished(settings.dataDir, reference) ||
        globSync(`mail/**/${reference}.eml`, { cwd: settings.dataDir }).length > 0;
      if (!submission && !hasRemains)
        throw new CommandFailed(
          `There is no ${reference}. It may have been erased already: ${describeWhenErased(settings)}, or by this command.`,
        );
      if (!values.yes && !(await ask(reference, submission))) return 1;
      return eraseSubmission(store, settings, reference);
    });
  },
};

function ask(reference: string, submission: StoredSubmission | null): Promise<boolean> {
  if (process.stdin.isTTY && submission && !submission.followUp.seenAt)
    print(
      styled(
        ['red', 'bold'],
        'Nobody has shown that they have seen it, and nobody can read it once it is erased.',
      ),
    );
  const which = submission ? `${reference}, received on ${nzTime(submission.receivedAt)},` : reference;
  const how = `If you are sure: awhina erase ${reference} --yes`;
  return askForYes(`Erase ${which} for good?`, 'Nothing was erased.', how);
}

async function eraseSubmission(store: Store, { dataDir }: Settings, reference: string): Promise<number> {
  const erasure = await eraseRequest(store, dataDir, reference);
  if (erasure.kind === 'busy')
    throw new CommandFailed(
      `Nothing was erased: ${reference} is just being mailed. Try again in a minute or two.`,
    );
  print(`${reference} is erased.`);
  const { others, scrubbed, notLogged } = erasure;
  if (notLogged) remark(notLogged);
  if (others > 0) print(`${others} that came in one mail with it are mailed again without it.`);
  for (const path of await findCopies(dataDir, reference))
    remark(`${path} still holds a copy. Delete that file once you need nothing else in it.`);
  if (scrubbed) return notLogged ? 1 : 0;
  remark(tracesLeft);
  return 1;
}

const databaseFiles = ['awhina.sqlite', 'awhina.sqlite-wal', 'awhina.sqlite-shm'];

/** Other databases in the folder, moved aside or copied by hand. Only the person who runs the site may delete them. */
async function findCopies(dataDir: string, reference: string): Promise<string[]> {
  const names = listFolder(dataDir);
  const paths: string[] = [];
  for (const name of names.filter((one) => one.includes('sqlite') && !databaseFiles.includes(one))) {
    const path = join(dataDir, name);
    if ((await readFile(path).catch(() => Buffer.of())).includes(reference)) paths.push(path);
  }
  return paths;
}
