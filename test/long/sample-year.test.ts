import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary.ts';

const sum = (all: readonly { count: number }[]) => all.reduce((before, { count }) => before + count, 0);

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
