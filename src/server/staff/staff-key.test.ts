import { expect, test } from 'vitest';
import { createStaffKeys } from './staff-key.ts';

const rest = (path: string) => path.replace('/staff/', '');
const keys = createStaffKeys('a secret of this site');
const path = keys.pathFor('HK7W-3RQX');

test('a key opens the page of its own reference', () => {
  expect(path).toMatch(/^\/staff\/HK7W-3RQX\/[0-9a-f]{32}$/);
  expect(keys.readPath(rest(path))).toEqual({ reference: 'HK7W-3RQX', isForOthers: false });
  const othersPath = keys.pathForOthers('HK7W-3RQX');
  expect(othersPath).toMatch(/^\/staff\/HK7W-3RQX\/[0-9a-f]{32}$/);
  expect(keys.readPath(rest(othersPath))).toEqual({ reference: 'HK7W-3RQX', isForOthers: true });
  expect(createStaffKeys('a secret of this site').pathFor('HK7W-3RQX')).toBe(path);
});

const [, key = ''] = rest(path).split('/');
test.each([
  ['the key of another request for others', rest(keys.pathForOthers('HK7W-3RQY')).replace('RQY', 'RQX')],
  ['the key of another request', `HK7W-3RQY/${key}`],
  ['another key', `HK7W-3RQX/${key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`],
  ['a part of the key', `HK7W-3RQX/${key.slice(0, -1)}`],
  ['more than the key', `HK7W-3RQX/${key}0`],
  ['the key in capital letters', `HK7W-3RQX/${key.toUpperCase()}`],
  ['no key', 'HK7W-3RQX/'],
  ['no reference', `/${key}`],
  ['nothing', ''],
  ['a key of another site', rest(createStaffKeys('another secret').pathFor('HK7W-3RQX'))],
])('%s opens nothing', (_what, given) => {
  expect(keys.readPath(given)).toBeNull();
});

test('after the secret was replaced, mails have new keys and the links in earlier mails still work', () => {
  const replaced = createStaffKeys('the secret of one server');
  const before = replaced.pathFor('HK7W-3RQX');
  replaced.setSecret('the secret that all servers share');
  const after = replaced.pathFor('HK7W-3RQX');
  expect(after).not.toBe(before);
  for (const link of [before, after]) expect(replaced.readPath(rest(link))?.reference).toBe('HK7W-3RQX');
});

const letter = { day: '2026-11-16', form: 'contact' } as const;
const letterPath = keys.pathForLetter(letter);
const letterRest = (path: string) => path.replace('/staff/letter/', '');

test('the key of a letter opens the page of that week and that mailbox, and of no request', () => {
  expect(letterPath).toMatch(/^\/staff\/letter\/2026-11-16\/[0-9a-f]{32}$/);
  expect(keys.readLetterPath(letterRest(letterPath))).toEqual(letter);
  expect(keys.pathForLetter({ ...letter, form: 'help' })).not.toBe(letterPath);
  expect(keys.readPath(rest(letterPath))).toBeNull();
  expect(keys.readLetterPath(letterRest(path))).toBeNull();
  const test = { test: '0123456789abcdef' };
  expect(keys.readLetterPath(letterRest(keys.pathForLetter(test)))).toEqual(test);
});

test.each([
  ['the key of another week', letterPath.replace('11-16', '11-23')],
  ['the key of a request', `/staff/letter/2026-11-16/${key}`],
  ['the key of a test', keys.pathForLetter({ test: '0123456789abcdef' }).replace(/test-\w+/, '2026-11-16')],
  ['a part of the key', letterPath.slice(0, -1)],
  ['a letter of another site', createStaffKeys('another secret').pathForLetter(letter)],
])('%s opens no letter', (_what, given) => {
  expect(keys.readLetterPath(rest(given))).toBeNull();
});
