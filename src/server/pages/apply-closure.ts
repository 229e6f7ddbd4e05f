import type { ClosedNotice } from '../../model/closure.ts';
import { fill } from '../../model/phrase.ts';
import type { Site } from '../../model/site.ts';
import { addDays, formatDay, formatDayIn, nzDay, startOfNzDay } from '../time/nz-time.ts';

/** How long before a closure the pages announce it. */
export const noticeDays = 7;

/** Sorts after every ISO date. */
const forEver = '9';

/** The year in New Zealand, in whichever time zone the machine is. */
export const nzYear = (now: Date): number => Number(nzDay(now).slice(0, 4));

/**
 * The words of the site, changed for a closure that is announced or has begun.
 *
 * @param language the tag of the words' language.
 */
export function applyClosure(
  site: Site,
  now: Date,
  language = site.language.tag,
): { site: Site; closed?: ClosedNotice } {
  const today = nzDay(now);
  const closure = site.closed.find(({ from, until }) => today < until && today >= addDays(from, -noticeDays));
  if (!closure) return { site };
  const { from, until, message } = closure;
  const usual = { answerWithin: site.answerWithin };
  const days = {
    from: dayIn(language, site.language.tag, from),
    until: dayIn(language, site.language.tag, until),
  };
  const say = (phrase: string) => fill(phrase, { ...usual, ...days });
  const { soon, answerSoon, receiptSoon, receiptNow, ...text } = site.closedText;
  const answerWithin = say(text.answerWithin);
  const isClosed = today >= from;
  const begins = startOf(from);
  const ends = startOf(until);
  const notice = [message, say(isClosed ? text.now : soon)].filter(Boolean).join(' ');
  const before = { answerWithin: say(answerSoon), until: begins, note: say(receiptSoon) };
  const during = { answerWithin, until: ends, note: say(receiptNow) };
  const after = { ...usual, until: forEver };
  if (!isClosed) return { site, closed: { notice, promises: [before, during] } };
  // The opening hours on the page must be true during the closure too.
  const hours = site.hours && say(text.hours);
  return {
    site: { ...site, hours, answerWithin },
    closed: { notice, begun: true, promises: [during, after] },
  };
}

/** A language that Intl does not know has the day in the words of the original, marked as such. */
function dayIn(language: string, original: string, day: string): string {
  const spoken = formatDayIn(language, day);
  if (spoken !== null) return spoken;
  const inOriginal = formatDayIn(original, day) ?? formatDay(day);
  return language === original ? inOriginal : `{${original}:${inOriginal}}`;
}

const startOf = (day: string) => startOfNzDay(day)?.toISOString() ?? '';
