import { parseArgs } from 'node:util';
import { mailFolderIn } from '../../server/delivery/folder/mail-folder.ts';
import { deliveryStatus, type StoredSubmission } from '../../server/store/contract/submission.ts';
import { type Command, UsageError } from '../command.ts';
import { findUnreadReferences } from '../mail/unread-mail.ts';
import { print, printJson, remark } from '../terminal.ts';
import { withStore } from '../with-store.ts';
import { filterOptions, filterUsage, readFilter } from './filter-options.ts';
import { printRequests, requestAsJson, statusStyle } from './request-table.ts';

const defaultLimit = 50;

export const list: Command = {
  summary: 'list the requests and messages, newest first',
  usage: `awhina list [options]

${filterUsage}
  --limit N             how many at most (${defaultLimit})
  --json                for programs`,

  async run(args) {
    const options = { ...filterOptions, limit: { type: 'string' }, json: { type: 'boolean' } } as const;
    const { values } = parseArgs({ args, options });
    const filter = readFilter(values);
    const limit = Number(values.limit ?? defaultLimit);
    if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a whole number');

    return withStore(async (store, { dataDir }) => {
      const mailFolder = mailFolderIn(dataDir);
      const unread = await findUnreadReferences(mailFolder);
      const isUnread = ({ reference }: StoredSubmission) => unread.has(reference);
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
          status: (one) => (isUnread(one) ? `in ${mailFolder}, not read yet` : describeStatus(one)),
          styleOf: (one) => (isUnread(one) ? 'yellow' : statusStyle(one)),
        });
        // The total is left out: it would need a count of all requests.
        if (hasMore) remark(`\nThe newest ${found.length}. --limit shows more.`);
      }
      return 0;
    });
  },
};

function describeStatus({ delivery }: StoredSubmission): string {
  const status = deliveryStatus(delivery);
  return status === 'delivered' || delivery.lastError === null ? status : `${status}: ${delivery.lastError}`;
}

const asJson = (submission: StoredSubmission) => ({
  ...requestAsJson(submission),
  deliveredAt: submission.delivery.deliveredAt,
  sealed: !Array.isArray(submission.answers),
});
