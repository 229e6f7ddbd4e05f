import { createReference } from '../contract/reference.ts';
import type { Added, FormVersion, NewSubmission } from '../contract/submission.ts';
import { definitionsOf, type SubmissionRow, toRow } from '../rows/submission-row.ts';
import type { Batch } from './sqlite-submissions.ts';
import type { SqliteThread } from './thread.ts';
import type { Thread } from './thread-calls.ts';

interface Waiting {
  form: FormVersion;
  row: SubmissionRow;
  resolve: (added: Added) => void;
  reject: (error: unknown) => void;
}

interface SubmissionBatch {
  add(submission: NewSubmission): Promise<Added>;
  /** Sends the waiting submissions at once, because the process closes before the next turn of the event loop. */
  flush(): void;
}

/**
 * Submissions on their way to the thread. All that came in within one turn of the event loop, and all that come in while
 * the last batch is written, share one message, one transaction, and so one sync.
 */
export function createSubmissionBatch(thread: Pick<Thread<SqliteThread>, 'call'>): SubmissionBatch {
  let waiting: Waiting[] = [];
  let next: NodeJS.Immediate | null = null;

  async function addWaiting(): Promise<void> {
    next = null;
    let group: Waiting[] = [];
    try {
      const takeGroup = (): [Batch] => {
        [group, waiting] = [waiting, []];
        return [{ definitions: definitionsOf(group), rows: group.map(({ row }) => row) }];
      };
      const results = await thread.call('add', takeGroup, true);
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Added);
    } catch (error) {
      // A thread that could not be called has taken nothing, so the submissions still wait here.
      for (const { reject } of group.length > 0 ? group : waiting.splice(0)) reject(error);
    }
  }

  return {
    add: (submission) =>
      new Promise((resolve, reject) => {
        const row = toRow(submission, submission.reference ?? createReference());
        if (waiting.push({ form: submission.form, row, resolve, reject }) === 1)
          next = setImmediate(addWaiting);
      }),
    flush() {
      if (!next) return;
      clearImmediate(next);
      void addWaiting();
    },
  };
}
