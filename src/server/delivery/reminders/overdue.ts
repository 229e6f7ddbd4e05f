import type { FormName } from '../../../model/form-field.ts';
import type { Site } from '../../../model/site.ts';
import type { OpenOutline } from '../../store/contract/follow-ups.ts';
import { latestPlausible } from '../../store/contract/jobs.ts';
import { nzTime } from '../../time/nz-time.ts';
import { countWorkingDays, nextWorkingTime } from '../../time/working-days.ts';
import { mostBare, mostNamed } from './open-list.ts';

/** What a morning's reminder is about, and which of it the mail names. */

const dayMs = 24 * 60 * 60_000;
/** Staff hear of what is about to be erased at least this long before. */
const eraseNoticeMs = 3 * dayMs;
/** Of the submissions that a mail names, so many are the oldest that are not urgent. */
const mostCalm = Math.floor(mostNamed / 3);
/** Of the bare references, so many are those that staff have not heard of for the longest time. */
const mostInTurn = 150;

export interface MorningRules {
  /** REMIND_AT. */
  at: string;
  /** In working days. */
  remindAfter: Record<FormName, number>;
  /** From when somebody saw it. */
  retentionDays: number;
  /** From when it came in, where nobody has. Null: `retentionDays` from when a mail server accepted it. */
  unseenRetentionDays: number | null;
}

export interface Morning {
  site: Site;
  rules: MorningRules;
  /** When this reminder was due, and the one before. */
  due: Date;
  before: Date;
  now: Date;
}

export interface Overdue extends OpenOutline {
  workingDays: number;
  /** Set where it is erased so soon that staff must hear of it now. */
  erasedAt: Date | null;
  /** When staff last heard of it. 0: never, or not yet that it will be erased. */
  toldAt: number;
}

function findErasing(one: OpenOutline, { retentionDays, unseenRetentionDays }: MorningRules): Date | null {
  const { seenAt, receivedAt, deliveredAt } = one;
  const after = (from: Date | null, days: number) => from && new Date(from.getTime() + days * dayMs);
  if (seenAt || unseenRetentionDays === null) return after(seenAt ?? deliveredAt, retentionDays);
  return after(receivedAt, unseenRetentionDays);
}

/** What this morning's reminder is about, in the given order. */
export function findOverdue(open: readonly OpenOutline[], morning: Morning): Overdue[] {
  const { site, rules, before, now, due } = morning;
  const { closed } = site;
  const nextDue = nextWorkingTime(due, rules.at, closed);
  // Of thousands that came in on few days, the working days are counted once for each day.
  const [, time = ''] = nzTime(now).split(' ');
  const counted = new Map<string, number>();
  const countDays = ({ receivedAt }: OpenOutline) => {
    const [day = '', receivedTime = ''] = nzTime(receivedAt).split(' ');
    const key = `${day} ${receivedTime <= time}`;
    const days = counted.get(key) ?? countWorkingDays(receivedAt, now, closed);
    counted.set(key, days);
    return days;
  };
  return open.flatMap((one) => {
    const erasedAt = findErasing(one, rules);
    const isErasedBefore = (next: Date) =>
      erasedAt !== null && erasedAt.getTime() - eraseNoticeMs < next.getTime();
    // The next reminder would come too late, also because a weekend or a holiday lies between.
    const isErasedSoon = isErasedBefore(nextDue);
    const workingDays = countDays(one);
    // By a clock that was far ahead it would seem to come in for months.
    const isLate = workingDays >= rules.remindAfter[one.form] || one.receivedAt > latestPlausible(now);
    // A colleague has only just begun with it.
    const isJustTaken = one.takenAt !== null && one.takenAt >= before && one.takenAt <= latestPlausible(now);
    if (!isErasedSoon && (!isLate || isJustTaken)) return [];
    const { namedAt } = one;
    const isTold = namedAt && (!isErasedSoon || isErasedBefore(nextWorkingTime(namedAt, rules.at, closed)));
    return [
      {
        ...one,
        workingDays,
        erasedAt: isErasedSoon ? erasedAt : null,
        toldAt: isTold ? namedAt.getTime() : 0,
      },
    ];
  });
}

const place = ({ doubtful, erasedAt }: Overdue) => 2 * Number(doubtful) + Number(erasedAt === null);
/** What is erased soon is named before all others of which there is as much doubt. */
const byNeed = (some: readonly Overdue[]) => some.toSorted((one, other) => place(one) - place(other));

/** The first so many of `inOrder`, which may name one twice, in the order of `all`. */
export function choose<T>(all: readonly T[], inOrder: readonly T[], most: number): T[] {
  const chosen = new Set([...new Set(inOrder)].slice(0, most));
  return all.filter((one) => chosen.has(one));
}

/** `named`: with all that a reminder says of one. `bare`: by reference alone. */
export function chooseNamed(overdue: readonly Overdue[]): { named: Overdue[]; bare: Overdue[] } {
  const calm = byNeed(overdue.filter(({ urgent }) => !urgent)).slice(0, mostCalm);
  const named = choose(overdue, [...calm, ...byNeed(overdue)], mostNamed);
  const chosen = new Set(named);
  const rest = overdue.filter((one) => !chosen.has(one));
  const inTurn = byNeed(rest).toSorted((one, other) => one.toldAt - other.toldAt);
  return { named, bare: choose(rest, [...inTurn.slice(0, mostInTurn), ...byNeed(rest)], mostBare) };
}
