import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  countUnread,
  eraseDigest,
  findUnread,
  mailFolderIn,
  markRead,
} from '../../server/delivery/folder/mail-folder.ts';
import { explainProblem } from '../../server/delivery/smtp/explain-problem.ts';
import { readSettings, type Settings } from '../../server/settings/settings.ts';
import { StoreUnavailable } from '../../server/store/contract/errors.ts';
import type { Store } from '../../server/store/contract/store.ts';
import { deliveryStatus, type StoredSubmission } from '../../server/store/contract/submission.ts';
import { nzTime } from '../../server/time/nz-time.ts';
import { type Command, CommandFailed, UsageError } from '../command.ts';
import { explainUnread } from '../mail/unread-mail.ts';
import { print, printJson, remark } from '../terminal.ts';
import { withStore } from '../with-store.ts';
import { readReference } from './filter-options.ts';
import { printRequests, requestAsJson } from './request-table.ts';

export const deliveries: Command = {
  summary: 'what no mail server has accepted yet, and why; retry sends it again, read marks it as read',
  usage: `awhina deliveries [--json]
awhina deliveries retry REFERENCE
awhina deliveries retry --all
awhina deliveries read REFERENCE
awhina deliveries read --all

  retry REFERENCE   send this one, also if a mail server has accepted it already
  retry --all       send everything that no mail server has accepted, and what nobody has read in the folder of mails
  read REFERENCE    staff have read this one in the folder of mails (if SMTP_URL is not set)
  read --all        staff have read all that lies there now. RETENTION_DAYS counts from then`,
  asOwner: true,

  async run(args) {
    const options = { all: { type: 'boolean' }, json: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [action, named, ...more] = positionals;
    if (action === undefined && !values.all)
      return withStore((store, { dataDir }) =>
        listUndelivered(store, mailFolderIn(dataDir), values.json ?? false),
      );
    const known = action === 'retry' || action === 'read';
    if (!known || more.length > 0 || (named === undefined) !== (values.all ?? false)) {
      const one = `awhina deliveries ${known ? action : 'retry'}`;
      throw new UsageError(`Say which one: ${one} HK7W-3RQX, or ${one} --all`);
    }
    const reference = named === undefined ? null : readReference(named);
    return action === 'read'
      ? read(reference)
      : withStore((store, settings, isComplete) => retry(store, settings, isComplete, reference));
  },
};

async function listUndelivered(store: Store, mailFolder: string, json: boolean): Promise<number> {
  const unread = await countUnread(mailFolder);
  const found: StoredSubmission[] = [];
  // What a person has seen needs no mail any more.
  for await (const one of store.iterateSubmissions({ undelivered: true }))
    if (!one.followUp.seenAt) found.push(one);
  if (json) printJson(found.map(asJson));
  else if (found.length === 0 && unread > 0) print('Everything was mailed, but not all of it was read.');
  else if (found.length === 0) print('No mail waits. awhina list shows what nobody has seen.');
  else {
    printRequests(found, {
      status: ({ delivery }) => deliveryStatus(delivery),
      more: {
        TRIES: ({ delivery }) => String(delivery.attempts),
        'NEXT TRY': ({ delivery }) => (delivery.parkedAt ? 'daily' : nzTime(delivery.nextAttemptAt)),
        'LAST PROBLEM': ({ delivery }) => delivery.lastError ?? '–',
      },
    });
    const problems = new Set(
      found.map(({ delivery }) => delivery.lastError).filter((error) => error !== null),
    );
    if (problems.size > 0) print('');
    for (const problem of problems) print(`${problem}: ${explainProblem(problem)}`);
    const parked = found.filter(({ delivery }) => delivery.parkedAt).length;
    if (parked > 0) {
      remark(
        '\nParked ones are tried again once a day. Once the cause is fixed, send them at once: awhina deliveries retry --all',
      );
    }
  }
  if (unread > 0) remark(explainUnread(unread, mailFolder));
  return 0;
}

function asJson(submission: StoredSubmission) {
  const { nextAttemptAt, parkedAt } = submission.delivery;
  return { ...requestAsJson(submission), nextAttemptAt, parkedAt };
}

/** The folder itself tells which mails are there, and which of them were read. */
async function read(reference: string | null): Promise<number> {
  const mailFolder = mailFolderIn(readSettings().dataDir);
  const unread = await findUnread(mailFolder);
  const meant = unread.filter(({ references }) => reference === null || references.includes(reference));
  if (reference !== null && meant.length === 0)
    throw new CommandFailed(`There is no unread mail of ${reference} in ${mailFolder}.`);
  await markRead(
    mailFolder,
    meant.map(({ file }) => file),
  );
  if (meant.length === 0) print(`No mail in ${mailFolder} is unread.`);
  else print(`${meant.length === 1 ? '1 mail is' : `${meant.length} mails are`} marked as read.`);
  const references = meant.flatMap((mail) => mail.references);
  await withStore((store) => store.recordRead(references, new Date())).catch((error) => {
    if (!(error instanceof StoreUnavailable || error instanceof CommandFailed)) throw error;
    remark('The database could not be used just now. The server records it within an hour.');
  });
  return 0;
}

async function retry(
  store: Store,
  settings: Settings,
  isComplete: boolean,
  reference: string | null,
): Promise<number> {
  const folder = mailFolderIn(settings.dataDir);
  // What was written to the folder before SMTP_URL was set is in no mailbox.
  const unread = settings.mail.smtpUrl ? await findUnread(folder) : [];
  const meant = unread.filter(({ references }) => reference === null || references.includes(reference));
  const retried = new Set(
    await (reference === null ? store.retryDeliveries('all', new Date()) : retryOne(store, reference)),
  );
  for (const { file, references } of meant) {
    for (const one of references)
      for (const due of await store.retryDeliveries({ reference: one }, new Date())) retried.add(due);
    if (!isComplete) continue;
    const missing = references.filter((one) => !retried.has(one));
    // Once the queue has each of them, a file that stayed would have all of them mailed again by the next run.
    if (missing.length === 0) await eraseDigest(folder, file);
    // After an older backup was restored, the file may be all there is of a request.
    else
      print(
        `${missing.join(', ')} ${areIn(missing)} no database: ${join(folder, file)} stays, for somebody to read.`,
      );
  }
  const [first, ...others] = retried;
  if (!first && meant.length === 0) print('No mail waits: there is nothing to send again.');
  else if (first) print(`${others.length === 0 ? `${first} is` : `${retried.size} are`} due now. ${soon}`);
  if (reference !== null && others.length > 0)
    print(`${reference} was in one file with the others, which no mailbox has either.`);
  return 0;
}

const areIn = ({ length }: string[]) => (length === 1 ? 'is in' : 'are in');
const soon = 'The running server sends within seconds.';

/** Sends a request again too that was mailed: its mail may be in the mail folder, or in a mailbox that somebody emptied. */
async function retryOne(store: Store, reference: string): Promise<string[]> {
  const deliveredAt = (await store.findSubmission(reference))?.delivery.deliveredAt;
  const retried = await store.retryDeliveries({ reference }, new Date());
  if (retried.length === 0) throw new CommandFailed(`There is no ${reference}.`);
  if (deliveredAt) print(`${reference} was mailed on ${nzTime(deliveredAt)} already. Staff get it again.`);
  return retried;
}
