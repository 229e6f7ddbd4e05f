import { z } from 'zod';
import type { Closure } from '../../model/closure.ts';
import { daysBetween } from '../time/nz-time.ts';
import { oneOrMore, words } from './words.ts';

const day = z.iso.date({ error: 'expected a day, such as 2026-12-24', abort: true });

/** A longer closure most likely has the wrong year. */
const longestDays = 100;

const notAfter =
  'expected a day after from: it is the day somebody reads again, not the last day you are closed';
const tooLong = `expected a day within ${longestDays} days of from: is the year right?`;
const overlap = 'begins before the one above it has ended: make one of the two';

const closure = z
  .strictObject({
    from: day.describe('The first day on which you are closed.'),
    until: day.describe('The day somebody reads again, not the last day you are closed.'),
    message: words.describe('A sentence of your own, beside ours.').optional(),
  })
  .refine(({ from, until }) => until > from, { path: ['until'], error: notAfter })
  .refine(({ from, until }) => daysBetween(from, until) <= longestDays, { path: ['until'], error: tooLong });

/** Sorted by time. */
export const closuresSchema = oneOrMore(
  closure,
  z.array(closure).check(({ value, issues }) => {
    value.forEach((one, index) => {
      // Two closures may not touch: on the day when one ends, somebody reads messages.
      if (value.slice(0, index).some(({ from, until }) => one.from <= until && from <= one.until))
        issues.push({ code: 'custom', message: overlap, path: [index], input: one });
    });
  }),
).transform((closures): Closure[] => closures.toSorted((a, b) => (a.from < b.from ? -1 : 1)));
