import { expect, test } from 'vitest';
import { UsageError } from '../command.ts';
import { readFilter } from './filter-options.ts';

test('every valid day is read, by New Zealand’s clocks from 1900 on', () => {
  expect(readFilter({ since: '2026-11-01', until: '2026-11-30' })).toMatchObject({
    since: new Date('2026-10-31T11:00:00Z'),
    until: new Date('2026-11-30T11:00:00Z'),
  });
  expect(readFilter({ since: '0001-01-01' }).since).toEqual(new Date('0001-01-01T00:00:00Z'));
  expect(readFilter({ until: '0000-12-31' }).until).toEqual(new Date('0001-01-01T00:00:00Z'));
  expect(readFilter({ until: '9999-12-31' }).until).toBeUndefined();
});

test('an invalid day is refused', () => {
  for (const day of ['2026-02-30', '2026-13-01', 'yesterday', '', '10000-01-01', '-000001-01-01'])
    for (const option of ['since', 'until'])
      expect(() => readFilter({ [option]: day })).toThrow(
        new UsageError(`--${option} must be a day, such as 2026-11-15`),
      );
});
