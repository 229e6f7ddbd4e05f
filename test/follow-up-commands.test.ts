import { describe, expect, test } from 'vitest';
import { claimMail } from '../src/server/store/contract/mail-jobs.ts';
import { prepareCommands } from './support/commands.ts';
import { parseCsv } from './support/csv.ts';
import { filesWith } from './support/find-in-files.ts';
import { storeSubmission } from './support/stored-submissions.ts';

const hours = 3_600_000;
const hoursAgo = (count: number) => new Date(Date.now() - count * hours);

describe('taken and answered', () => {
  const time = /\d{4}-\d\d-\d\d \d\d:\d\d/g;
  const withoutTimes = ({ out }: { out: string }) => out.replace(time, 'T');

  test('the first is recorded, the second sees who it was, and both can be taken back', async () => {
    const { store, ask } = await prepareCommands();
    const reference = await storeSubmission(store, { receivedAt: hoursAgo(1) });
    const taken = await ask('taken', reference.toLowerCase(), '--by', ' Mere ');
    expect(withoutTimes(taken)).toBe(
      `${reference} is taken by Mere on T. To take that back: awhina taken ${reference} --undo\n`,
    );
    expect(taken.code).toBe(0);
    const second = await ask('taken', reference, '--by', 'CD');
    expect(second.code).toBe(1);
    expect(second.err.replace(time, 'T')).toContain(
      `Nothing was changed: ${reference} is taken by Mere on T. If that is wrong: awhina taken ${reference} --undo`,
    );
    expect((await ask('answered', reference, '--by', 'CD')).code).toBe(0);
    const late = await ask('taken', reference, '--by', 'EF');
    expect([late.code, late.err]).toEqual([
      1,
      expect.stringContaining(`awhina answered ${reference} --undo`),
    ]);
    expect((await ask('show', reference)).out).toMatch(/\nAnswered by CD on .*\.\n$/);

    expect(withoutTimes(await ask('answered', reference, '--undo'))).toBe(
      `${reference} is no longer answered. It is taken by Mere on T.\n`,
    );
    expect(withoutTimes(await ask('taken', reference, '--undo'))).toBe(
      `${reference} is no longer taken. It is taken by nobody yet.\n`,
    );
    expect((await ask('answered', reference, '--undo')).out).toContain('there is nothing to take back');
    const missing = await ask('answered', 'ZZZZ-9999', '--by', 'AB');
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('There is no ZZZZ-9999.')]);
  });

  test('several are recorded in one call, each with its outcome, and one that failed is an exit code', async () => {
    const { store, ask } = await prepareCommands();
    const receivedAt = hoursAgo(1);
    const [one, other, theirs] = [
      await storeSubmission(store, { receivedAt }),
      await storeSubmission(store, { receivedAt }),
      await storeSubmission(store, { receivedAt }),
    ];
    // A colleague with the same initials.
    await store.recordStep(theirs, 'answered', 'AB', new Date(Date.now() - 60_000));
    const some = await ask('answered', one, theirs, 'ZZZZ-9999', one, other, '--by', 'AB');
    expect(some.code).toBe(1);
    const done = (reference: string) =>
      `${reference} is answered by AB on T. To take that back: awhina answered ${reference} --undo\n`;
    expect(withoutTimes(some)).toBe(done(one) + done(other));
    expect(some.err.replace(time, 'T')).toContain(
      `Nothing was changed: ${theirs} is answered by AB on T. If that is wrong: awhina answered ${theirs} --undo\nThere is no ZZZZ-9999.`,
    );
    expect((await ask('answered', one, other, '--undo')).code).toBe(0);
    // Nothing at all is recorded where one cannot be a reference.
    expect((await ask('taken', one, 'AB', '--by', 'AB')).code).toBe(2);
    const open = (await store.listOpen(10)).map(({ reference, followUp }) => [reference, followUp.takenBy]);
    expect(open.toSorted()).toEqual([one, other].toSorted().map((reference) => [reference, null]));
  });

  test('what is open is listed urgent first, then oldest first, with how long it has waited', async () => {
    const { store, ask } = await prepareCommands();
    expect((await ask('list', '--open')).out).toBe('No request is open.\n');
    const old = await storeSubmission(store, { receivedAt: hoursAgo(75), form: 'contact' });
    const taken = await storeSubmission(store, { receivedAt: hoursAgo(10) });
    const answered = await storeSubmission(store, { receivedAt: hoursAgo(20) });
    const urgent = await storeSubmission(store, { receivedAt: hoursAgo(2), urgent: true });
    for (const claim of await claimMail(store, new Date(), 9, 60_000, 'new'))
      if (claim.submission.reference !== old) await store.finishDelivery(claim, new Date());
    await store.recordStep(taken, 'taken', 'AB', new Date());
    await store.recordStep(answered, 'answered', 'AB', new Date());
    const lines = withoutTimes(await ask('list', '--open'))
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(lines).toEqual([
      ['RECEIVED', 'FORM', 'REFERENCE', 'STATUS', 'WAITS'],
      ['T', 'help', urgent, 'urgent, taken by nobody yet', '2 hours'],
      ['T', 'contact', old, 'taken by nobody yet, mail waiting', '3 days'],
      ['T', 'help', taken, 'taken by AB on T', '10 hours'],
    ]);
    const some = await ask('list', '--open', '--limit', '1');
    expect([some.out, some.err]).toEqual([
      expect.not.stringContaining(old),
      expect.stringContaining('--limit'),
    ]);
    expect(JSON.parse((await ask('list', '--open', '--json')).out)).toMatchObject([
      { reference: urgent, takenBy: null },
      { reference: old, answeredAt: null },
      { reference: taken, takenBy: 'AB' },
    ]);
    const exported = JSON.parse((await ask('export', '--json')).out) as { reference: string }[];
    expect(exported.find((one) => one.reference === answered)).toMatchObject({ answeredBy: 'AB' });
    // Without the byte order mark.
    const [head = [], ...rows] = parseCsv((await ask('export', '--csv')).out.slice(1));
    const row = rows.find(([first]) => first === taken);
    expect([row?.[head.indexOf('Taken by')], row?.[head.indexOf('Answered by')]]).toEqual(['AB', '']);
  });
});

test('a name that was recorded is in no file once its request is erased', async () => {
  const { store, dataDir, ask } = await prepareCommands();
  const name = 'Zoebelina';
  const [erased, purged] = [
    await storeSubmission(store, { receivedAt: hoursAgo(90 * 24) }),
    await storeSubmission(store, { receivedAt: hoursAgo(90 * 24) }),
  ];
  for (const reference of [erased, purged])
    for (const step of ['taken', 'answered'] as const)
      expect(await store.recordStep(reference, step, name, hoursAgo(80 * 24))).not.toBeNull();
  expect(filesWith(dataDir, name)).not.toEqual([]);
  for (const claim of await claimMail(store, new Date(), 9, 60_000, 'new'))
    await store.finishDelivery(claim, hoursAgo(80 * 24));
  // A clock that is far past the last erasing would not be trusted.
  await store.recordErasing(new Date());
  expect((await ask('erase', erased, '--yes')).code).toBe(0);
  expect((await ask('purge')).code).toBe(0);
  expect(await store.findSubmission(purged)).toBeNull();
  expect(filesWith(dataDir, name)).toEqual([]);
});
