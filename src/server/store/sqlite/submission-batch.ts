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

/**
 * Submissions on their way to the thread. All that came in within one turn of the event loop, and all that come in while
 * the last batch is written, share one message, one transaction, and so one sync. Returns the function that adds one.
 */
export function createSubmissionBatch(thread: Pick<Thread<SqliteThread>, 'call'>) {
  let waiting: Waiting[] = [];

  async function addWaiting(): Promise<void> {
    let batch: Waiting[] = [];
    try {
      const takeBatch = (): [Batch] => {
        [batch, waiting] = [waiting, []];
        return [{ definitions: definitionsOf(batch), rows: batch.map(({ row }) => row) }];
      };
      const results = await thread.call('add', takeBatch, true);
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Added);
    } catch (error) {
      // A thread that could not be called has taken nothing, so the submissions still wait here.
      for (const { reject } of batch.length > 0 ? batch : waiting.splice(0)) reject(error);
    }
  }

  return (submission: NewSubmission): Promise<Added> =>
    new Promise((resolve, reject) => {
      const row = toRow(submission, submission.reference ?? createReference());
      if (waiting.push({ form: submission.form, row, resolve, reject }) === 1) setImmediate(addWaiting);
    });
}
