import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairSlots } from './fair-slots.ts';

function prepare(count: number) {
  const places = createFairSlots(count);
  const started: string[] = [];
  const leaves: (() => void)[] = [];
  const ask = (client: string) => {
    const response = { destroyed: false };
    void places.enter(client, response).then((leave) => {
      started.push(leave ? client : `${client} left`);
      if (leave) leaves.push(leave);
    });
    return response;
  };
  /** The one that has been at work for longest is done. */
  const finishOne = async () => {
    await nextTurn();
    leaves.shift()?.();
    await nextTurn();
    await nextTurn();
  };
  return { started, ask, finishOne };
}

test('no more run than there are slots, and the next starts when one ends', async () => {
  const { started, ask, finishOne } = prepare(2);
  for (const client of ['a', 'b', 'c']) ask(client);
  await nextTurn();
  expect(started).toEqual(['a', 'b']);
  await finishOne();
  expect(started).toEqual(['a', 'b', 'c']);
  // Both places are given back.
  await finishOne();
  await finishOne();
  for (const client of ['d', 'e', 'f']) ask(client);
  await nextTurn();
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a hundred requests of one client do not delay the first of another', async () => {
  const { started, ask, finishOne } = prepare(1);
  for (let n = 0; n < 100; n++) ask('flood');
  ask('a');
  ask('b');
  for (let n = 0; n < 5; n++) await finishOne();
  expect(started).toEqual(['flood', 'flood', 'a', 'b', 'flood', 'flood']);
});

test('a client that has left takes no slot', async () => {
  const { started, ask, finishOne } = prepare(1);
  ask('a');
  ask('b').destroyed = true;
  ask('c');
  await finishOne();
  expect(started).toEqual(['a', 'b left', 'c']);
});
