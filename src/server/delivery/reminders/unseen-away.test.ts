import { expect, test } from 'vitest';
import { prepareFallback } from '../../../../test/support/fallback.ts';
import { storeSubmission } from '../../../../test/support/stored-submissions.ts';
import { at } from '../../../../test/support/unseen-job.ts';
import { createStaffProblems } from './unseen.ts';

const monday = at('2026-11-02 09:00');
const wednesday = at('2026-11-04 09:00');
const oneRequest = 'nobody has seen 1 request, the oldest since Monday 2 November';

async function prepare() {
  const { store, database } = await prepareFallback();
  await store.check();
  let current = monday;
  const findProblems = createStaffProblems({
    ...{ store, unseenRetentionDays: 90, now: () => current },
    content: { current: () => ({ remindAfter: { help: 1, contact: 3 }, site: { closed: [] } }) },
  });
  const lookAt = (time: Date) => {
    current = time;
    return findProblems();
  };
  const receive = (receivedAt = monday) => storeSubmission(store, { receivedAt });
  const goAway = () => {
    database.mode = 'away';
  };
  return { store, lookAt, receive, goAway };
}

test('what the metrics ask for is no problem to staff once PostgreSQL is away', async () => {
  const { store, lookAt, receive, goAway } = await prepare();
  await receive();
  expect(await lookAt(monday)).toEqual([]);
  expect(await store.summariseUnseen({ help: monday, contact: monday }, monday)).toMatchObject([{ open: 1 }]);
  goAway();
  // Whoever asks first notices that it is away.
  for (const _time of ['first', 'then']) expect(await lookAt(monday)).toEqual([]);
});

test('what nobody has seen stays a problem while PostgreSQL is away, whatever others ask for', async () => {
  const { store, lookAt, receive, goAway } = await prepare();
  await receive();
  expect(await lookAt(wednesday)).toEqual([oneRequest]);
  // For the other mailbox.
  expect(await store.summariseUnseen({ contact: wednesday }, wednesday)).toEqual([]);
  goAway();
  for (const _time of ['first', 'then']) expect(await lookAt(wednesday)).toEqual([oneRequest]);
  // Kept in the fallback.
  await receive(wednesday);
  expect(await lookAt(wednesday)).toEqual([oneRequest]);
  expect(await lookAt(at('2026-11-06 09:00'))).toEqual([
    'nobody has seen 2 requests, the oldest since Monday 2 November',
  ]);
});
