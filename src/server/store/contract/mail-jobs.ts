import type { Archive } from './archive.ts';
import { type ClaimedSubmission, withSubmissions } from './claimed-submissions.ts';
import type { Jobs } from './jobs.ts';

/** The duty to mail a submission to staff: a job that is deleted once a mail server has accepted the mail. */

const hourMs = 3_600_000;
/** Never tried, failed, refused for good, or held back to be sent with others in one mail. */
export const mailKinds = {
  ...{ new: 'mail', again: 'mail again', refused: 'mail refused' },
  ...{ held: 'held', heldRefused: 'held refused' },
} as const;
export type MailKind = (typeof mailKinds)[keyof typeof mailKinds];
const isHeld = (kind: string): boolean => kind === mailKinds.held || kind === mailKinds.heldRefused;
export const isRefused = (kind: unknown): boolean =>
  kind === mailKinds.refused || kind === mailKinds.heldRefused;
/** Tried before, or not, or held. */
export type DueKind = 'new' | 'retry' | 'held';

/**
 * Among submissions of the same rank an urgent one is mailed as if it had been received this much earlier, and no more than
 * that. A program that marks everything as urgent could otherwise hold up every other person's mail.
 */
export const headStartMs = hourMs;
/** A mail that was refused for good is tried once a day all the same: a mailbox is created again, a block is lifted. */
export const refusedMs = 24 * hourMs;
/** The longest wait of the others. */
const longestMs = hourMs / 4;
/** After so many attempts an urgent one is as any other: its mail may be why the mail server refuses. */
const mostHurried = 8;

export type MailStore = Pick<Jobs, 'claimJobs' | 'postponeJob'> & Pick<Archive, 'findSubmissions'>;

/** In the order in which they are mailed. Those whose submission has just been erased are left out. */
export async function claimMail(
  store: MailStore,
  now: Date,
  limit: number,
  leaseMs: number,
  due: DueKind,
): Promise<ClaimedSubmission[]> {
  const claim = (kind: string, most: number, longest = longestMs) =>
    store.claimJobs({ kinds: [kind], limit: most, leaseMs, longestMs: longest }, now);
  const claims = await claim(mailKinds[due === 'retry' ? 'again' : due], limit);
  if (due !== 'new' && claims.length < limit) {
    const refused = due === 'held' ? mailKinds.heldRefused : mailKinds.refused;
    claims.push(...(await claim(refused, limit - claims.length, refusedMs)));
  }
  const mails = await withSubmissions(store, claims);
  if (due !== 'new') return mails;
  // The attempt before ended the process. It delays no mail that was never tried.
  const isFirst = ({ attempts }: ClaimedSubmission) => attempts === 1;
  for (const one of mails.filter((mail) => !isFirst(mail)))
    await postponeMail(store, { ...one, attempts: one.attempts - 1 }, now, one.lastError);
  return mails.filter(isFirst);
}

/** Like {@link Jobs.postponeJob}. One that is held stays held. */
export function postponeMail(
  store: Pick<Jobs, 'postponeJob'>,
  { submission, ...claim }: ClaimedSubmission,
  dueAt: Date,
  error: string | null,
): Promise<boolean> {
  const isFirst = claim.kind === mailKinds.new;
  const { urgent } = submission.delivery;
  // Retries are due within minutes of each other, so that time alone would put no urgent one first.
  const before = isFirst && urgent ? -1 : 0;
  const after = urgent && claim.attempts === mostHurried ? 1 : 0;
  const kind = isHeld(claim.kind) ? mailKinds.held : mailKinds.again;
  const rank = Math.max(0, claim.rank + before + after);
  return store.postponeJob(claim, { kind, dueAt, error, rank });
}

/** A mail server refused the mail for good. */
export const parkMail = (
  store: Pick<Jobs, 'postponeJob'>,
  { submission: _, ...claim }: ClaimedSubmission,
  at: Date,
  error: string,
): Promise<boolean> =>
  store.postponeJob(claim, {
    kind: isHeld(claim.kind) ? mailKinds.heldRefused : mailKinds.refused,
    dueAt: new Date(at.getTime() + refusedMs),
    error,
  });
