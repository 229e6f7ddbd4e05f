import type { Archive } from '../../store/contract/archive.ts';
import type { FollowUps, UntilByForm } from '../../store/contract/follow-ups.ts';
import type { Leases } from '../../store/contract/leases.ts';
import type { CheckClock } from '../../time/clock-trust.ts';
import { lastNzTimeOfDay, nzDay } from '../../time/nz-time.ts';
import { isWorkingDay } from '../../time/working-days.ts';
import type { Mailing } from '../mail-transport.ts';
import type { TellOthers } from '../notices/tell-others.ts';
import { findMailboxes, findOthers, type Mailbox } from './mailboxes.ts';
import { erasedSoonUntil, type UnseenRules, unseenUntil } from './unseen.ts';
import { writeUnseen } from './unseen-mail.ts';

/** A mail that could not be sent, or whose server died meanwhile, is tried again after this. */
const leaseMs = 15 * 60_000;
/** References in one mail. More is a flood, and a mail of that size may be refused. */
const mostListed = 500;

export interface UnseenJobParts extends Mailing {
  store: Pick<FollowUps, 'listUnseen' | 'summariseUnseen'> & Leases & Pick<Archive, 'findTimes'>;
  /** REMIND_AT. */
  at: string;
  content: { current(): Pick<UnseenRules, 'remindAfter'> };
  unseenRetentionDays: number;
  /** MAIL_TO_ESCALATE. */
  escalateTo: readonly string[];
  /** ALERT_URL is set. */
  withAlerts: boolean;
  tellOthers: TellOthers;
  checkClock: CheckClock;
}

/**
 * Tells others once on a working day what nobody has seen for twice as long as staff may wait; and every day, also while
 * the trust is closed, what will be erased within fourteen days.
 */
export function createUnseenJob(parts: UnseenJobParts) {
  const { store, site, content, at, unseenRetentionDays, addresses, staffLink } = parts;
  const { escalateTo, withAlerts, tellOthers, checkClock, now } = parts;

  async function findUnseen({ forms }: Mailbox, rules: UnseenRules, due: Date) {
    const soon = erasedSoonUntil(rules, due);
    const until = isWorkingDay(nzDay(due), rules.closed)
      ? unseenUntil(rules, due)
      : { help: soon, contact: soon };
    const ofMailbox: UntilByForm = Object.fromEntries(forms.map((form) => [form, until[form]]));
    return {
      listed: await store.listUnseen(ofMailbox, mostListed),
      summaries: await store.summariseUnseen(ofMailbox),
    };
  }

  return async function tellOfUnseen(): Promise<void> {
    // By a clock that is wrong nobody would seem to have seen anything for a year.
    if (checkClock(await store.findTimes()) !== null) return;
    // Every day, so that a server that was off warns once it is back.
    const due = lastNzTimeOfDay(now(), at);
    const rules = { remindAfter: content.current().remindAfter, closed: site().closed, unseenRetentionDays };
    for (const mailbox of findMailboxes(addresses)) {
      if (!withAlerts && findOthers(mailbox, addresses, escalateTo).length === 0) continue;
      const job = { name: `unseen ${mailbox.forms[0]}`, due, leaseMs };
      if (!(await store.claimLease(job, now()))) continue;
      const found = await findUnseen(mailbox, rules, due);
      const write = () => writeUnseen({ ...found, mailbox, rules, now: due }, site(), staffLink);
      if (found.listed.length === 0 || (await tellOthers(mailbox, write())))
        await store.finishLease(job, now());
    }
  };
}
