import { type FormName, formNames } from '../../../model/form-field.ts';
import type { FollowUps, OpenSummary, UntilByForm } from '../../store/contract/follow-ups.ts';
import { subtractWorkingDays } from '../../time/working-days.ts';
import { describeErased, describeOpen } from './open-words.ts';

const dayMs = 24 * 3_600_000;
/** Others hear of what is about to be erased at least this long before. */
const warningMs = 14 * dayMs;
/** They hear once a day, so also of what is within that time before they hear again. */
const everyMs = dayMs;

export interface UnseenRules {
  /** In working days. Others hear after twice as many. */
  remindAfter: Record<FormName, number>;
  closed: Parameters<typeof subtractWorkingDays>[2];
  /** In days, from when it came in. */
  unseenRetentionDays: number;
}

/** Up to when what nobody has seen came in if it will be erased within fourteen days. */
export const erasedSoonUntil = ({ unseenRetentionDays }: UnseenRules, now: Date): Date =>
  new Date(now.getTime() + everyMs + warningMs - unseenRetentionDays * dayMs);

/** Up to when what nobody has seen came in if somebody else has to hear of it. */
export function unseenUntil(rules: UnseenRules, now: Date): Record<FormName, Date> {
  const soon = erasedSoonUntil(rules, now);
  const untilOf = (form: FormName) => {
    const late = subtractWorkingDays(now, 2 * rules.remindAfter[form], rules.closed);
    return late > soon ? late : soon;
  };
  return Object.fromEntries(formNames.map((form) => [form, untilOf(form)])) as Record<FormName, Date>;
}

export const whenErased = (receivedAt: Date, { unseenRetentionDays }: UnseenRules): Date =>
  new Date(receivedAt.getTime() + unseenRetentionDays * dayMs);

/** 'nobody has seen 3 requests, the oldest since Monday 2 November'. Null where there are none. */
export function describeUnseen(unseen: readonly OpenSummary[], rules: UnseenRules, now: Date): string | null {
  const [oldest] = unseen.map(({ oldestReceivedAt }) => oldestReceivedAt).toSorted((a, b) => +a - +b);
  if (!oldest) return null;
  const said = `nobody has seen ${describeOpen(unseen)}`;
  if (oldest > erasedSoonUntil(rules, now)) return said;
  return `${said}. It ${describeErased(whenErased(oldest, rules), now)}`;
}

interface StaffProblemParts {
  store: Pick<FollowUps, 'summariseUnseen'>;
  content: { current(): { remindAfter: UnseenRules['remindAfter']; site: Pick<UnseenRules, 'closed'> } };
  /** Null: the trust follows requests elsewhere. */
  unseenRetentionDays: number | null;
  now: () => Date;
}

/** For /health/deliveries and the heartbeat: what staff have not seen. */
export function createStaffProblems(parts: StaffProblemParts) {
  const { store, content, unseenRetentionDays, now } = parts;
  const memory: { last: OpenSummary[] } = { last: [] };

  return async function findStaffProblems(): Promise<string[]> {
    if (unseenRetentionDays === null) return [];
    const { remindAfter, site } = content.current();
    const rules = { remindAfter, closed: site.closed, unseenRetentionDays };
    const until: UntilByForm = unseenUntil(rules, now());
    // That no database can be asked is a problem of its own.
    const unseen = await store.summariseUnseen(until, now(), memory).catch(() => []);
    return [describeUnseen(unseen, rules, now())].filter((problem) => problem !== null);
  };
}
