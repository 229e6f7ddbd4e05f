import { parseArgs } from 'node:util';
import { capitalise } from '../../model/sentence.ts';
import { readContent } from '../../server/content/content.ts';
import { mailFolderIn } from '../../server/delivery/folder/mail-folder.ts';
import { writeLetter } from '../../server/delivery/letter/submission-letter.ts';
import { formTitle } from '../../server/delivery/letter/submission-mail.ts';
import { describeWhenErased } from '../../server/erasure/retention.ts';
import type { StoredSubmission } from '../../server/store/contract/submission.ts';
import { nzTime } from '../../server/time/nz-time.ts';
import { type Command, CommandFailed, onlyOne } from '../command.ts';
import { findUnreadReferences } from '../mail/unread-mail.ts';
import { createOpenAnswers } from '../sealing/private-key.ts';
import { letterForTerminal, print, printJson, styled } from '../terminal.ts';
import { withStore } from '../with-store.ts';
import { exportedSubmission } from './exported-submission.ts';
import { readReference } from './filter-options.ts';
import { describeFollowUp } from './follow-up-words.ts';

export const show: Command = {
  summary: 'show one request, as the mail to staff shows it',
  usage: `awhina show REFERENCE [options]

  --identity FILE   the private key that opens sealed answers
  --json            for programs`,

  async run(args) {
    const options = { identity: { type: 'string' }, json: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const reference = readReference(onlyOne(positionals, 'Say which one: awhina show HK7W-3RQX'));
    const openAnswers = createOpenAnswers(values.identity);

    return withStore(async (store, settings, isComplete) => {
      const stored = await store.findSubmission(reference);
      if (!stored)
        throw new CommandFailed(
          isComplete
            ? `No request has the reference ${reference}. It may have been erased: that happens ${describeWhenErased(settings)}. Its mail may still be in your mailbox, with the reference in the subject.`
            : `${reference} is not on this machine. Try again when the database is back.`,
        );
      const submission = await openAnswers(stored);
      if (values.json) {
        printJson(exportedSubmission(submission));
        return 0;
      }
      const letter = writeLetter(submission, await titleOf(submission, settings.contentDir));
      const mailFolder = mailFolderIn(settings.dataDir);
      const isUnread = (await findUnreadReferences(mailFolder)).has(reference);
      const delivery = isUnread
        ? styled('yellow', `Its mail is in ${mailFolder}, not read yet.`)
        : describeDelivery(submission, settings.mail.smtpUrl ? null : mailFolder);
      print(`${letterForTerminal(letter)}\n${delivery}\n${capitalise(describeFollowUp(stored.followUp))}.`);
      return 0;
    });
  },
};

/** The form's name where the content has a mistake, which must not prevent staff from reading a request. */
async function titleOf({ form }: StoredSubmission, contentDir: string): Promise<string> {
  const content = await readContent(contentDir).catch(() => null);
  return content ? formTitle(content.site, form) : form;
}

/** @param folder where mail goes if there is no mail server */
function describeDelivery({ delivery, followUp }: StoredSubmission, folder: string | null): string {
  const { deliveredAt, parkedAt, attempts, lastError, nextAttemptAt } = delivery;
  const what = folder ? `Its mail was sent, or written to ${folder},` : 'A mail server accepted its mail';
  const accepted = deliveredAt && `${what} on ${nzTime(deliveredAt)}.`;
  if (followUp.seenAt)
    return styled('green', `${accepted ? `${accepted} ` : ''}Last seen on ${nzTime(followUp.seenAt)}.`);
  if (accepted) return styled('yellow', `${accepted} Nobody has shown that they have seen it.`);
  if (parkedAt)
    return styled('red', `Refused by the mail server on ${nzTime(parkedAt)} (${lastError}) and parked.`);
  if (attempts === 0) return styled('yellow', 'No mail server has accepted its mail yet.');
  return styled(
    'yellow',
    `No mail server has accepted its mail yet: tried ${attempts} times, last ${lastError ?? 'unknown'}, next ${nzTime(nextAttemptAt)}.`,
  );
}
