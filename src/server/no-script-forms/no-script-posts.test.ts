import { expect, test } from 'vitest';
import { noScriptFields } from '../../model/no-script-fields.ts';
import { createNoScriptPosts } from './no-script-posts.ts';

const minute = 60_000;
const entries = [{ key: 'FirstName', value: 'Sample' }];

function prepare(secret = 'a secret that is long enough to be one') {
  const world = { at: Date.parse('2026-03-01T10:30:00.700Z') };
  const now = () => new Date(world.at);
  const posts = createNoScriptPosts(secret, now);
  const examine = (sentOut: string, more: Record<string, string> = {}, answers = entries) =>
    posts.examine('help', answers, new URLSearchParams({ [noScriptFields.sentOut]: sentOut, ...more }));
  return { posts, world, now, examine };
}

test('a form that came back in good time is not doubted', () => {
  const { posts, world, now, examine } = prepare();
  const sentOut = posts.signTime(now());
  world.at += 5 * minute;
  expect(examine(sentOut).doubts).toEqual([]);
});

test('a form that comes back after more than a day is doubted, and not before', () => {
  const { posts, world, now, examine } = prepare();
  const sentOut = posts.signTime(now());
  expect(examine(sentOut).doubts).toEqual([]);
  world.at += 24 * 60 * minute;
  expect(examine(sentOut).doubts).toEqual([]);
  world.at += 60 * minute;
  expect(examine(sentOut).doubts).toEqual(['old']);
});

test('all pages of one hour have one signed time', () => {
  const { posts } = prepare();
  const sign = (time: string) => posts.signTime(new Date(`2026-03-01T${time}Z`));
  expect(sign('10:00:00')).toBe(sign('10:59:59.999'));
  expect(sign('11:00:00')).not.toBe(sign('10:59:59.999'));
});

test('a time that is missing, invented, changed or in the future counts as none', () => {
  const { posts, world, now, examine } = prepare();
  const sentOut = posts.signTime(now());
  const changed = sentOut.replace(/^\d/, '9');
  const another = prepare('another secret that is long enough too').posts.signTime(now());
  const ahead = posts.signTime(new Date(world.at + 60 * minute));
  for (const wrong of ['', 'x', changed, another, ahead, `${sentOut}0`, sentOut.split('-')[0] ?? ''])
    expect(examine(wrong).doubts).toEqual(['undated']);
});

test('a field that people do not see is a trap', () => {
  const { posts, world, now, examine } = prepare();
  const sentOut = posts.signTime(now());
  world.at += minute;
  expect(examine(sentOut, { [noScriptFields.trap]: 'https://spam.example' }).doubts).toEqual(['trap']);
  expect(examine(sentOut, { [noScriptFields.trap]: '' }).doubts).toEqual([]);
});

test('the same answers are recognised for an hour, also across the full hour, and other answers are not', () => {
  const { world, examine } = prepare();
  const [first] = examine('').identities;
  world.at += 20 * minute;
  expect(examine('').identities[0]).toBe(first);
  world.at += 35 * minute;
  expect(examine('').identities[0]).not.toBe(first);
  expect(examine('').identities[1]).toBe(first);
  const other = [{ key: 'FirstName', value: 'Another' }];
  expect(examine('', {}, other).identities).not.toContain(first);
});

test('the same answers from pages of two hours are two requests, and from one page are one', () => {
  const { posts, world, now, examine } = prepare();
  const [mine, theirs] = [now(), new Date(world.at - 60 * minute)].map(posts.signTime);
  world.at += 5 * minute;
  const { identities } = examine(mine ?? '');
  world.at += 5 * minute;
  expect(examine(mine ?? '').identities).toEqual(identities);
  for (const other of [theirs ?? '', '', 'x']) expect(examine(other).identities[0]).not.toBe(identities[0]);
  // A value that is not ours tells nobody apart: it may be lost on the way.
  expect(examine('x').identities).toEqual(examine('').identities);
});

test('servers that share a secret recognise each other’s times and answers, also those from before a new secret', () => {
  const one = prepare('the secret that both of them share now');
  const other = prepare('a secret of its own, from before that');
  const before = other.posts.signTime(other.now());
  other.posts.setSecret('the secret that both of them share now');
  one.world.at += minute;
  other.world.at += minute;
  const sentOut = one.posts.signTime(new Date(one.world.at - minute));
  expect(other.examine(sentOut).doubts).toEqual([]);
  expect(other.examine(before).doubts).toEqual([]);
  for (const page of ['', sentOut])
    expect(other.examine(page).identities).toEqual(one.examine(page).identities);
});
