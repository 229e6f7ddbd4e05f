import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deliveryStatus, type StoredSubmission } from '../../server/store/contract/stored-submission.ts';
import { nzTime } from '../../server/time/nz-time.ts';
import { type Command, UsageError } from '../command.ts';
import { findUnreadReferences } from '../mail/unread-mail.ts';
import { print, printJson, remark, rowStyle, table } from '../terminal.ts';
import { filterOptions, filterUsage, readFilter } from './filter-options.ts';
import { withStore } from './with-store.ts';

const usual = 50;

export const list: Command = {
  summary: 'list the requests and messages, newest first',
  usage: `awhina list [options]

${filterUsage}
  --limit N             how many at most (${usual})
  --json                for programs`,

  async run(args) {
    const options = { ...filterOptions, limit: { type: 'string' }, json: { type: 'boolean' } } as const;
    const { values } = parseArgs({ args, options });
    const filter = readFilter(values);
    const limit = Number(values.limit ?? usual);
    if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a whole number');

    return withStore(async (store, { dataDir }) => {
      const mailFolder = join(dataDir, 'mail');
      const unread = await findUnreadReferences(mailFolder);
      const isUnread = ({ reference }: StoredSubmission) => unread.has(reference);
      const found: StoredSubmission[] = [];
      let isAll = true;
      for await (const submission of store.iterateSubmissions(filter)) {
        isAll = found.length < limit;
        if (!isAll) break;
        found.push(submission);
      }
      if (values.json) printJson(found.map((one) => ({ ...asJson(one), unread: isUnread(one) })));
      else if (found.length === 0) print('There are none.');
      else {
        const rows = found.map((one) => asRow(one, isUnread(one) ? mailFolder : null));
        const styles = found.map((one) => (isUnread(one) ? 'yellow' : rowStyle(one)));
        print(table(['RECEIVED', 'FORM', 'REFERENCE', 'STATUS'], rows, styles));
        // Not of how many: that would be counting all there is, for one line.
        if (!isAll) remark(`\nThe newest ${found.length}. --limit shows more.`);
      }
      return 0;
    });
  },
};

/** `unreadIn`: the folder that its mail lies in, where nobody has said that it was read. */
function asRow(
  { receivedAt, form, reference, delivery }: StoredSubmission,
  unreadIn: string | null,
): string[] {
  const status = unreadIn ? `in ${unreadIn}, not read yet` : describeStatus(delivery);
  return [nzTime(receivedAt), form, reference, markUrgent(delivery) + status];
}

const markUrgent = ({ urgent }: StoredSubmission['delivery']) => (urgent ? 'urgent, ' : '');

function describeStatus(delivery: StoredSubmission['delivery']): string {
  switch (deliveryStatus(delivery)) {
    case 'delivered':
      return 'delivered';
    case 'parked':
      return `parked: ${delivery.lastError}`;
    case 'waiting':
      return delivery.lastError ? `waiting: ${delivery.lastError}` : 'waiting';
  }
}

function asJson({ reference, form, receivedAt, answers, delivery }: StoredSubmission) {
  const { urgent, attempts, deliveredAt, lastError } = delivery;
  const sealed = !Array.isArray(answers);
  return {
    reference,
    form,
    receivedAt,
    status: deliveryStatus(delivery),
    urgent,
    attempts,
    deliveredAt,
    lastError,
    sealed,
  };
}
