import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeSampleRequests } from '../../scripts/sample-requests.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { run } from '../support/command.ts';
import { shippedContent } from '../support/forms.ts';
import { temporaryFolder } from '../support/temporary.ts';

const { forms } = shippedContent;
const year = { forms, seed: 1, from: '2025-11-16', until: '2026-11-15', requests: 950 };
const sum = (all: readonly { count: number }[]) => all.reduce((before, { count }) => before + count, 0);

test('the same seed makes the same requests, to the letter, and another seed others', () => {
  const text = (seed: number) => JSON.stringify(makeSampleRequests({ ...year, seed }));
  expect(text(1)).toBe(text(1));
  expect(text(1)).not.toBe(text(2));
});

test('a year of it looks like one: weekdays before weekends, evenings before mornings, more at its end', () => {
  const requests = makeSampleRequests({ ...year, requests: 9_500 });
  const help = requests.filter(({ submission }) => submission.form.name === 'help');
  expect(help).toHaveLength(6_000);
  const nz = (at: Date) =>
    new Intl.DateTimeFormat('en-NZ', {
      timeZone: 'Pacific/Auckland',
      weekday: 'short',
      hour: 'numeric',
      hourCycle: 'h23',
    }).formatToParts(at);
  const times = help.map(({ submission }) => nz(submission.receivedAt));
  const of = (type: string, ...values: string[]) =>
    times.filter((parts) => parts.some((part) => part.type === type && values.includes(part.value))).length;
  expect(of('weekday', 'Mon')).toBeGreaterThan(1.5 * of('weekday', 'Sun'));
  expect(of('hour', '20', '21')).toBeGreaterThan(3 * of('hour', '03', '04'));
  const half = new Date('2026-05-16T00:00:00Z');
  const late = help.filter(({ submission }) => submission.receivedAt >= half);
  expect(late.length).toBeGreaterThan(help.length / 2);
});

test('the sample fills an empty folder with requests and counts, and refuses any other folder', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const make = () =>
    run(
      process.execPath,
      ['scripts/sample-year.ts', dataDir, '--until', '2026-11-15', '--requests', '400'],
      {},
    );
  expect(await make()).toMatchObject({ code: 0, err: '' });
  const store = await openSqliteStore(dataDir);
  onTestFinished(() => store.close());
  const { received, delivered, choices } = await store.readFigures('2025-11-16', '2026-11-15');
  expect([sum(received), sum(delivered)]).toEqual([400, 400]);
  expect(choices.length).toBeGreaterThan(50);
  const { total } = await store.countSubmissions({});
  expect(total).toBeGreaterThan(10);
  expect(total).toBeLessThan(100);
  expect(await store.countSubmissions({ undelivered: true })).toMatchObject({ total: 0 });
  expect(await make()).toMatchObject({ code: 1, err: expect.stringContaining('is not empty') });

  const other = temporaryFolder();
  writeFileSync(join(other, 'notes.txt'), 'mine');
  expect(await run(process.execPath, ['scripts/sample-year.ts', other], {})).toMatchObject({ code: 1 });
});
