import { expect, test } from 'vitest';
import { certificateWarning } from './certificate.ts';

const until = new Date('2026-12-01T00:00:00Z');
const daysBefore = (days: number) => new Date(until.getTime() - days * 86_400_000);

test.each([
  [365, 15, false],
  [365, 13, true],
  [90, 13, true],
  [45, 13, false],
  [45, 10, true],
  [6, 2, false],
  [6, 1, true],
  [90, -1, true],
])('of %d days, %d are left: a warning is %s', (lifetime, left, warned) => {
  const found = certificateWarning({ until, from: daysBefore(lifetime) }, daysBefore(left));
  expect(found !== null).toBe(warned);
});

test('the warning names the day in New Zealand, and needs no start date', () => {
  expect(certificateWarning({ until, from: null }, daysBefore(13))).toBe(
    'the certificate of the mail server runs out on 1 December 2026',
  );
  expect(certificateWarning(null, until)).toBeNull();
});
