import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSeal, generateKeyPair } from '../src/server/submissions/seal.ts';
import { awhinaShared } from './support/command.ts';
import { prepareCommands } from './support/commands.ts';
import { parseCsv } from './support/csv.ts';
import { filesWith } from './support/find-in-files.ts';
import { storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';

/** What a person asks for by telephone after sending, as the person who runs the website writes it down. */

const time = /\d{4}-\d\d-\d\d \d\d:\d\d/g;
const hourAgo = () => new Date(Date.now() - 3_600_000);

test('no contact and withdrawn are recorded, shown in every list, and can be taken back', async () => {
  const { store, ask } = await prepareCommands();
  const reference = await storeSubmission(store, { receivedAt: hourAgo() });
  const done = await ask('change', reference.toLowerCase(), '--no-contact', '--withdrawn', '--by', 'AB');
  expect(done.code).toBe(0);
  expect(done.out.replace(time, 'T')).toBe(
    `${reference} is taken by nobody yet, DO NOT CONTACT, recorded by AB on T. To take that back: awhina change ${reference} --no-contact --undo
${reference} is taken by nobody yet, withdrawn, recorded by AB on T, DO NOT CONTACT, recorded by AB on T. To take that back: awhina change ${reference} --withdrawn --undo
`,
  );
  const late = await ask('change', reference, '--withdrawn', '--by', 'CD');
  expect([late.code, late.out, late.err]).toEqual([1, '', expect.stringContaining('Nothing was changed:')]);
  const shown = (await ask('show', reference)).out;
  for (const words of [
    'DO NOT CONTACT THIS PERSON.',
    'THEY WITHDREW IT.',
    'AB recorded that they withdrew it.',
  ])
    expect(shown).toContain(words);
  expect((await ask('list')).out).toContain('DO NOT CONTACT, recorded by AB');
  expect((await ask('list', '--open')).out).toBe('No request is open.\n');
  const [exported] = JSON.parse((await ask('export', '--json')).out);
  expect(exported).toMatchObject({
    noContactBy: 'AB',
    withdrawnBy: 'AB',
    changes: [{ said: 'no-contact', by: 'AB' }, { said: 'withdrawn' }],
  });
  const [head = [], row = []] = parseCsv((await ask('export', '--csv')).out.slice(1));
  const cell = (title: string) => row[head.indexOf(title)];
  expect(cell('Do not contact (NZ time)')).toMatch(time);
  expect(cell('Since then')?.split('\n')).toHaveLength(2);

  const undone = await ask('change', reference, '--withdrawn', '--undo', '--by', 'CD');
  expect([undone.code, undone.out]).toEqual([0, expect.stringMatching(/^Taken back\. .*DO NOT CONTACT/)]);
  expect((await ask('list', '--open')).out).toContain('DO NOT CONTACT');
  expect((await ask('change', reference, '--no-contact', '--undo', '--json')).out).toContain(
    '"noContactAt": null',
  );
  expect((await ask('change', reference, '--no-contact', '--undo')).out).toContain(
    'There is nothing to take back.',
  );
});

test('a number, an address and a note are written beside the answers, mailed, and erased with the request', async () => {
  const { store, dataDir, ask } = await prepareCommands();
  const reference = await storeSubmission(store, { receivedAt: hourAgo() });
  const before = await store.findSubmission(reference);
  const given = ['--phone', '021 000 001', '--email', 'other@visitor.example', '--note', 'Ring after nine'];
  const done = await ask('change', reference, ...given, '--by', 'AB');
  expect([done.code, done.out]).toEqual([
    0,
    `${reference}: AB wrote down. New number: 021 000 001. New email address: other@visitor.example. Note: Ring after nine\n`,
  ]);
  expect((await store.findSubmission(reference))?.answers).toEqual(before?.answers);
  expect(await store.findJob(`changed:${reference}`)).not.toBeNull();
  expect((await ask('show', reference)).out).toContain('New number: 021 000 001');
  // A list has no word of a request.
  expect((await ask('list', '--json')).out).not.toContain('Ring after nine');
  expect(filesWith(dataDir, 'Ring after nine')).not.toEqual([]);
  expect((await ask('erase', reference, '--yes')).code).toBe(0);
  expect(filesWith(dataDir, 'Ring after nine')).toEqual([]);
});

test('a sealed request gets only what is sealed too', async () => {
  const { store, dataDir, environment, ask } = await prepareCommands();
  const { identity, recipient } = await generateKeyPair();
  const seal = createSeal([recipient]);
  const reference = await storeSubmission(store, { receivedAt: hourAgo(), seal });
  const args = ['change', reference, '--no-contact', '--note', 'Ring after nine', '--by', 'AB'];
  const refused = await ask(...args);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Nothing was recorded')]);
  expect((await store.findSubmission(reference))?.changes).toEqual([]);
  const done = await awhinaShared(args, { ...environment, SEAL_TO: recipient });
  expect([done.code, done.err]).toEqual([0, '']);
  expect(filesWith(dataDir, 'Ring after nine')).toEqual([]);
  expect((await ask('show', reference)).out).toContain('AB wrote something down, sealed.');
  const file = join(temporaryFolder(), 'key.txt');
  writeFileSync(file, identity);
  expect((await ask('show', reference, '--identity', file)).out).toContain('Note: Ring after nine');
  // The key was changed since: each key opens what it can.
  const next = await generateKeyPair();
  const later = ['change', reference, '--note', 'Ring after ten', '--by', 'AB'];
  expect((await awhinaShared(later, { ...environment, SEAL_TO: next.recipient })).code).toBe(0);
  const opened = await ask('show', reference, '--identity', file);
  expect([opened.code, opened.err]).toEqual([0, '']);
  expect(opened.out).toContain('Note: Ring after nine');
  expect(opened.out).toContain('AB wrote something down, sealed.');
});

test.each([
  [['HK7W-3RQX', '--by', 'AB'], 'Say what they asked for'],
  [['HK7W-3RQX', '--withdrawn'], '--by must be'],
  [['HK7W-3RQX', '--withdrawn', '--by', '77'], '--by must be'],
  [['--withdrawn', '--by', 'AB'], 'Say which one'],
  [['HK7W-3RQX', '--undo'], 'Say what they asked for'],
  [['HK7W-3RQX', '--note', 'Sample', '--undo'], '--undo takes back'],
  [['HK7W-3RQX', '--phone', 'none', '--by', 'AB'], '--phone must be'],
  [['HK7W-3RQX', '--email', 'none', '--by', 'AB'], '--email must be'],
  [['HK7W-3RQX', '--note', ' ', '--by', 'AB'], '--note has no words'],
])('%j is wrong usage, and says how it is done', async (args, words) => {
  const { ask } = await prepareCommands();
  const { code, err } = await ask('change', ...args);
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
});

test('what is not there ends with 1, and the help has every option', async () => {
  const { ask } = await prepareCommands();
  const missing = await ask('change', 'ZZZZ-9999', '--withdrawn', '--by', 'AB');
  expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('There is no ZZZZ-9999.')]);
  const { out } = await ask('help', 'change');
  for (const option of [
    '--no-contact',
    '--withdrawn',
    '--phone',
    '--email',
    '--note',
    '--by',
    '--undo',
    '--json',
  ])
    expect(out).toContain(option);
});
