import { type FormName, formNames } from '../../src/model/form-field.ts';
import type { JobClaim, Jobs } from '../../src/server/store/contract/jobs.ts';
import {
  alertKinds,
  escalateKind,
  type ReminderReaders,
  reminderKind,
} from '../../src/server/store/contract/submission-jobs.ts';

const minute = 60_000;

/** Jobs of submissions, as the workers claim them. */
interface Choice {
  limit?: number;
  leaseMs?: number;
  forms?: readonly FormName[];
  readers?: ReminderReaders;
}

type Store = Pick<Jobs, 'claimJobs'>;

const claim = (
  store: Store,
  now: Date,
  kinds: readonly string[],
  longestMs: number,
  choice: Choice,
  only: 'untaken' | 'unreached' = 'untaken',
): Promise<JobClaim[]> =>
  store.claimJobs(
    { kinds, longestMs, only, limit: choice.limit ?? 99, leaseMs: choice.leaseMs ?? minute },
    now,
  );

export const claimAlerts = (store: Store, now: Date, choice: Choice = {}) =>
  claim(store, now, alertKinds, 15 * minute, choice);
export const claimEscalations = (store: Store, now: Date, choice: Choice = {}) =>
  claim(store, now, [escalateKind], 10 * minute, choice, 'unreached');
export const reminderKinds = ({ forms = formNames, readers = 'team' }: Choice = {}) =>
  forms.map((form) => reminderKind(readers, form));
export const claimReminders = (store: Store, now: Date, choice: Choice = {}) =>
  claim(store, now, reminderKinds(choice), 24 * 60 * minute, choice);

export const referencesOf = (claims: readonly Pick<JobClaim, 'reference'>[]) =>
  claims.map(({ reference }) => reference);
