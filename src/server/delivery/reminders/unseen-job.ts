import type { FormName } from '../../../model/form-field.ts';
import { forms } from '../../../model/forms.ts';
import { mapValues } from '../../../model/map-values.ts';
import type { RecurringJob } from '../../jobs/recurring-jobs.ts';
import type { Archive } from '../../store/contract/archive.ts';
import type { FollowUps, OpenOutline, UntilByForm } from '../../store/contract/follow-ups.ts';
import { latestPlausible } from '../../store/contract/jobs.ts';
import { lastNzTimeOfDay, nextNzTimeOfDay, nzDay } from '../../time/nz-time.ts';
import { isWorkingDay } from '../../time/working-days.ts';
import type { Mailing } from '../mail-transport.ts';
import type { TellOthers } from '../notices/tell-others.ts';
import { findMailboxes, findOthers, firstForm, type Mailbox } from './mailboxes.ts';
import { mostNamed } from './open-list.ts';
import { choose } from './overdue.ts';
import { erasedSoonUntil, type UnseenRules, unseenUntil } from './unseen.ts';
import { alertOfUnseen, writeUnseen } from './unseen-mail.ts';

/** Requests of which a mail has only the reference and the link. With these it has 600 kB. */
const mostBare = 2_000;
/** Of more than this, which only a flood of junk makes, the others are not read. */
const mostOpen = 20_000;

export interface UnseenJobParts extends Mailing {
  store: Pick<FollowUps, 'outlineOpen' | 'summariseUnseen'> & Pick<Archive, 'findSubmission'>;
  /** REMIND_AT. */
  at: string;
  content: { current(): Pick<UnseenRules, 'remindAfter'> };
  unseenRetentionDays: number;
  /** MAIL_TO_ESCALATE. */
  escalateTo: readonly string[];
  /** ALERT_URL is set. */
  withAlerts: boolean;
  tellOthers: TellOthers;
}

/**
 * Tells others once on a working day what nobody has seen for twice as long as staff may wait; and every day, also while
 * the trust is closed, what will be erased within fourteen days.
 */
export function createUnseenJobs(parts: UnseenJobParts): RecurringJob[] {
  const { store, site, content, at, unseenRetentionDays, addresses, othersLink } = parts;
  const { escalateTo, withAlerts, tellOthers, now } = parts;

  function findUntil(rules: UnseenRules, due: Date): Record<FormName, Date> {
    const soon = erasedSoonUntil(rules, due);
    return isWorkingDay(nzDay(due), rules.closed) ? unseenUntil(rules, due) : mapValues(forms, () => soon);
  }

  function summarise({ forms }: Mailbox, until: Record<FormName, Date>) {
    const ofMailbox: UntilByForm = Object.fromEntries(forms.map((form) => [form, until[form]]));
    return store.summariseUnseen(ofMailbox, now());
  }

  async function findUnseen(mailbox: Mailbox, rules: UnseenRules, due: Date) {
    const until = findUntil(rules, due);
    const summaries = await summarise(mailbox, until);
    if (summaries.length === 0) return null;
    const unseen = (await store.outlineOpen(mostOpen, mailbox.forms)).filter(
      ({ form, seenAt, receivedAt }) =>
        seenAt === null && (receivedAt <= until[form] || receivedAt > latestPlausible(now())),
    );
    const { named, bare } = chooseListed(unseen, erasedSoonUntil(rules, due));
    const found = await Promise.all(named.map(({ reference }) => store.findSubmission(reference)));
    // Without what was erased meanwhile.
    const inFolder = (await parts.findInFolder?.()) ?? new Set<string>();
    return { named: found.filter((one) => one !== null), bare, unseen, summaries, inFolder };
  }

  async function tell(mailbox: Mailbox, due: Date): Promise<boolean> {
    const rules = { remindAfter: content.current().remindAfter, closed: site().closed, unseenRetentionDays };
    const found = await findUnseen(mailbox, rules, due);
    if (found === null) return true;
    return tellOthers(mailbox, {
      ...writeUnseen({ ...found, mailbox, rules, now: due }, site(), othersLink),
      describeAgain: async () => alertOfUnseen(await summarise(mailbox, findUntil(rules, due)), rules, due),
    });
  }

  return findMailboxes(addresses)
    .filter((mailbox) => withAlerts || findOthers(mailbox, addresses, escalateTo).length > 0)
    .map((mailbox) => ({
      key: `unseen:${firstForm(mailbox)}`,
      failed: 'others not told',
      // Every day, so that a server that was off warns once it is back.
      last: (moment) => lastNzTimeOfDay(moment, at),
      next: (moment) => nextNzTimeOfDay(moment, at),
      run: async (due) => ((await tell(mailbox, due)) ? 'done' : 'again'),
    }));
}

/**
 * What will be erased soon comes first, then what a person sent for certain. What a program sent is last, and only by
 * reference.
 */
function chooseListed(unseen: readonly OpenOutline[], soon: Date) {
  const place = ({ receivedAt, doubtful }: OpenOutline) => 2 * Number(receivedAt > soon) + Number(doubtful);
  const { people = [], programs = [] } = Object.groupBy(
    unseen.toSorted((one, other) => place(one) - place(other)),
    ({ trapped }) => (trapped ? 'programs' : 'people'),
  );
  const named = chooseFairly(people, mostNamed);
  const isNamed = new Set(named);
  const rest = people.filter((one) => !isNamed.has(one));
  return { named, bare: [...chooseFairly(rest, mostBare), ...programs].slice(0, mostBare) };
}

/** A third of the places is for those that are not urgent, as in the morning: urgent ones would otherwise hide them. */
function chooseFairly(all: readonly OpenOutline[], most: number): OpenOutline[] {
  const calm = all.filter(({ urgent }) => !urgent).slice(0, Math.floor(most / 3));
  return choose(all, [...calm, ...all], most);
}
