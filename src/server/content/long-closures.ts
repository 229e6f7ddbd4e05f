import { addDays, formatDay, nzDay } from '../time/nz-time.ts';
import { daysUntilWorked } from '../time/working-days.ts';
import { BadContent, type Content } from './content.ts';

/** So many working days staff must have to see a request before it is erased unseen. */
const leastWorkingDays = 10;
/** No ten working days take longer, unless the trust is closed meanwhile. */
const before = 30;

/**
 * A request that nobody sees is erased UNSEEN_RETENTION_DAYS after it came in, also where the trust is closed for most of
 * that time.
 *
 * @param unseenDays null: the trust follows requests elsewhere
 * @throws {BadContent} naming each closure that leaves too few working days
 */
export function refuseLongClosures(
  { site: { closed } }: Content,
  unseenDays: number | null,
  now: Date,
): void {
  if (unseenDays === null) return;
  const problems = closed
    .filter(({ until }) => until > nzDay(now))
    .flatMap(({ from, until }) => {
      const worst = { day: from, needed: 0 };
      for (let day = addDays(from, -before); day < until; day = addDays(day, 1)) {
        const needed = daysUntilWorked(day, leastWorkingDays, closed);
        if (needed > worst.needed) Object.assign(worst, { day, needed });
      }
      if (worst.needed <= unseenDays) return [];
      return { file: 'site.yaml', line: null, message: refusal(from, worst.day, worst.needed) };
    });
  if (problems.length > 0) throw new BadContent(problems);
}

const refusal = (from: string, day: string, needed: number) =>
  `closed from ${from} is too long: a request of ${formatDay(day)} is erased before somebody has worked on ten days. Make it shorter, or set UNSEEN_RETENTION_DAYS to ${needed}`;
