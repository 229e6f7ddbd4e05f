import { expect, test } from 'vitest';
import { notFollowedUp } from '../store/contract/submission.ts';
import { isOwnPress } from './own-press.ts';

const at = new Date();
const before = (ms: number) => new Date(at.getTime() - ms);
const taken = (ms: number) => ({
  changed: false,
  followUp: { ...notFollowedUp, takenBy: 'AB', takenAt: before(ms) },
});

test('the same name is the same person for ten seconds, and a colleague of that name afterwards', () => {
  expect(isOwnPress(taken(10_000), 'taken', 'AB', at)).toBe(true);
  // The clock of the database can be a little ahead.
  expect(isOwnPress(taken(-500), 'taken', 'AB', at)).toBe(true);
  expect(isOwnPress(taken(10_001), 'taken', 'AB', at)).toBe(false);
  expect(isOwnPress(taken(0), 'taken', 'CD', at)).toBe(false);
  expect(isOwnPress({ ...taken(60_000), changed: true }, 'taken', 'AB', at)).toBe(true);
});

test('what is answered is taken by nobody, and its answer is told from its taking', () => {
  const { changed, followUp } = taken(0);
  const answered = { changed, followUp: { ...followUp, answeredBy: 'CD', answeredAt: at } };
  expect(isOwnPress(answered, 'taken', 'AB', at)).toBe(false);
  expect(isOwnPress(answered, 'answered', 'AB', at)).toBe(false);
  expect(isOwnPress(answered, 'answered', 'CD', at)).toBe(true);
  const unnamed = { changed, followUp: { ...notFollowedUp, answeredAt: at } };
  expect(isOwnPress(unnamed, 'answered', 'AB', at)).toBe(false);
});
