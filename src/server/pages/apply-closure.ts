import type { ClosedNotice } from '../../model/closure.ts';
import { fill } from '../../model/phrase.ts';
import type { Site } from '../../model/site.ts';
import { addDays, nzDay, sayDay, startOfNzDay } from '../time/nz-time.ts';

/** How long before a closure the pages speak of it. */
export const noticeDays = 7;

/** After every other moment, as text. */
const forEver = '9';

/** The trust's year, wherever the machine stands. */
export const nzYear = (now: Date): number => Number(nzDay(now).slice(0, 4));

/** What the pages say at this moment: the words of site.yaml, and where a closure is near or on, what that changes. */
export function applyClosure(site: Site, now: Date): { site: Site; closed?: ClosedNotice } {
  const today = nzDay(now);
  const closure = site.closed.find(({ from, until }) => today < until && today >= addDays(from, -noticeDays));
  if (!closure) return { site };
  const { from, until, message } = closure;
  const usual = { answerWithin: site.answerWithin };
  const say = (phrase: string) => fill(phrase, { ...usual, from: sayDay(from), until: sayDay(until) });
  const { soon, answerSoon, receiptSoon, receiptNow, ...text } = site.closedText;
  const answerWithin = say(text.answerWithin);
  const isClosed = today >= from;
  const begins = momentOf(from);
  const ends = momentOf(until);
  const notice = [message, say(isClosed ? text.now : soon)].filter(Boolean).join(' ');
  const before = { answerWithin: say(answerSoon), before: begins, note: say(receiptSoon) };
  const during = { answerWithin, before: ends, note: say(receiptNow) };
  const after = { ...usual, before: forEver };
  if (!isClosed) return { site, closed: { notice, promises: [before, during] } };
  // Wherever else the trust says when it answers, that must be true too.
  const hours = site.hours && say(text.hours);
  return { site: { ...site, hours, answerWithin }, closed: { notice, now: true, promises: [during, after] } };
}

const momentOf = (day: string) => startOfNzDay(day)?.toISOString() ?? '';
