import { expect, test } from 'vitest';
import { anySubmission } from '../../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { Batch } from './sqlite-submissions.ts';
import { createSubmissionBatch } from './submission-batch.ts';

const submission = (tokenHash: string) => anySubmission({ tokenHash });

/** A thread that says nothing until it is told to. */
function prepare() {
  const batches: string[][] = [];
  const answers: PromiseWithResolvers<unknown>[] = [];
  const call = (_name: string, given: () => [Batch]) => {
    batches.push(given()[0].rows.map(({ tokenHash }) => tokenHash));
    answers.push(Promise.withResolvers());
    return answers.at(-1)?.promise;
  };
  return { add: createSubmissionBatch({ call } as never), batches, answers };
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('submissions of one turn of the event loop share a batch, and none is acknowledged before it is stored', async () => {
  const { add, batches, answers } = prepare();
  const told: string[] = [];
  for (const name of ['a', 'b', 'c'])
    void add(submission(name)).then(
      () => told.push(name),
      () => told.push(`not ${name}`),
    );
  await nextTurn();
  void add(submission('d')).catch(() => told.push('not d'));
  await nextTurn();
  expect(batches).toEqual([['a', 'b', 'c'], ['d']]);
  expect(told).toEqual([]);
  answers[1]?.reject(new Error('The disk is full'));
  answers[0]?.resolve(['a', 'b', 'c']);
  await nextTurn();
  expect(told.toSorted()).toEqual(['a', 'b', 'c', 'not d']);
});

test('a submission that came in just before the store is closed is stored, once', async () => {
  const folder = temporaryFolder();
  const store = await openSqliteStore(folder);
  const adding = ['a', 'b'].map((name) => store.add(submission(name)));
  await store.close();
  expect(await Promise.all(adding)).toMatchObject([{ added: true }, { added: true }]);
  const again = await openSqliteStore(folder);
  expect(await again.countAll()).toBe(2);
  await again.close();
});
