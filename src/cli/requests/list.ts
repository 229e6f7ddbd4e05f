import { parseArgs } from 'node:util';
import { asSentence } from '../../model/sentence.ts';
import { mailFolderIn } from '../../server/delivery/folder/mail-folder.ts';
import { findLosses } from '../../server/erasure/losses.ts';
import type { Store } from '../../server/store/contract/store.ts';
import {
  deliveryStatus,
  requestState,
  type StoredSubmission,
} from '../../server/store/contract/submission.ts';
import { type Command, UsageError } from '../command.ts';
import { findUnreadReferences } from '../mail/unread-mail.ts';
import { print, printJson, remark, styled } from '../terminal.ts';
import { withStore } from '../with-store.ts';
import { filterOptions, filterUsage, readFilter } from './filter-options.ts';
import { describeFollowUp, formatWait } from './follow-up-words.ts';
import { printRequests, requestAsJson, statusStyle } from './request-table.ts';

const defaultLimit = 50;

export const list: Command = {
  summary: 'list the requests and messages, newest first; --open, what nobody has answered',
  usage: `awhina list [options]

${filterUsage}
  --open                only what nobody has answered or withdrawn yet, and how long each has waited. Urgent ones come first, then the oldest.
                        What the bot check doubts comes last, and each address takes turns with the others
  --limit N             how many at most (${defaultLimit})
  --json                for programs

The status is waiting (no mail server has accepted its mail yet), parked (one has refused it for good), accepted (one has it,
which does not prove that a person does), or seen: who took or answered it, or that its mail file was read.`,

  async run(args) {
    const options = {
      ...filterOptions,
      open: { type: 'boolean' },
      limit: { type: 'string' },
      json: { type: 'boolean' },
    } as const;
    const { values } = parseArgs({ args, options });
    const filter = readFilter(values);
    const limit = Number(values.limit ?? defaultLimit);
    if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a whole number');
    if (values.open) {
      if (Object.values(filter).some((given) => given !== undefined))
        throw new UsageError(
          '--open lists all that nobody has answered. It goes with --limit and --json alone',
        );
      return withStore((store) => listOpen(store, limit, values.json ?? false));
    }

    return withStore(async (store, { dataDir }) => {
      const mailFolder = mailFolderIn(dataDir);
      const unread = await findUnreadReferences(mailFolder);
      const isUnread = ({ reference }: StoredSubmission) => unread.has(reference);
      const isUnseen = (one: StoredSubmission) => isUnread(one) && !one.followUp.seenAt;
      const found: StoredSubmission[] = [];
      let hasMore = false;
      for await (const submission of store.iterateSubmissions(filter)) {
        hasMore = found.length === limit;
        if (hasMore) break;
        found.push(submission);
      }
      if (values.json) printJson(found.map((one) => ({ ...asJson(one), unread: isUnread(one) })));
      else if (found.length === 0) print('There are none.');
      else {
        printRequests(found, {
          status: (one) => (isUnseen(one) ? `in ${mailFolder}, not read yet` : describeStatus(one)),
          styleOf: (one) => (isUnseen(one) ? 'yellow' : statusStyle(one)),
        });
        // The total is left out: it would need a count of all requests.
        if (hasMore) remark(`\nThe newest ${found.length}. --limit shows more.`);
      }
      return 0;
    });
  },
};

async function listOpen(store: Store, limit: number, json: boolean): Promise<number> {
  // One more than is shown says whether there are more.
  const found = await store.listOpen(limit + 1);
  const shown = found.slice(0, limit);
  const now = Date.now();
  if (json) printJson(shown.map(asJson));
  else if (shown.length === 0) print('No request is open.');
  else {
    printRequests(shown, {
      status: (one) => {
        const status = deliveryStatus(one.delivery);
        return `${describeFollowUp(one.followUp)}${status === 'accepted' ? '' : `, mail ${status}`}`;
      },
      more: { WAITS: ({ receivedAt }) => formatWait(now - receivedAt.getTime()) },
      styleOf: ({ delivery, followUp }) =>
        followUp.noContactAt ? 'red' : followUp.takenAt ? 'reset' : delivery.urgent ? 'red' : 'yellow',
    });
    if (found.length > limit) remark(`\nThe first ${limit}. --limit shows more.`);
  }
  const lost = await findLosses(store);
  if (lost) remark(styled('red', asSentence(lost)));
  return 0;
}

/** 'taken by AB on 2026-11-18 09:10', 'accepted', 'parked: SMTP 550 at RCPT'. */
function describeStatus(request: StoredSubmission): string {
  const { delivery, followUp } = request;
  const { takenAt, answeredAt, noContactAt, withdrawnAt } = followUp;
  if (takenAt || answeredAt || noContactAt || withdrawnAt) return describeFollowUp(followUp);
  const state = requestState(request);
  const isPending = state === 'waiting' || state === 'parked';
  return isPending && delivery.lastError !== null ? `${state}: ${delivery.lastError}` : state;
}

const asJson = (submission: StoredSubmission) => ({
  ...requestAsJson(submission),
  deliveredAt: submission.delivery.deliveredAt,
  sealed: !Array.isArray(submission.answers),
});
