import { terminalSafe } from '../../server/delivery/letter/printable.ts';
import { formatCount } from '../../server/self-checks/weekly-letter-chart.ts';
import type { FollowUp } from '../../server/store/contract/submission.ts';
import { nzTime } from '../../server/time/nz-time.ts';

/** 'taken by AB on 2026-11-18 09:10', for the table, for `show`, and for who was not the first. */
export function describeFollowUp(followUp: FollowUp): string {
  const { noContactBy, noContactAt, withdrawnBy, withdrawnAt } = followUp;
  const formatStep = (by: string | null, at: Date) => `by ${terminalSafe(by ?? '')} on ${nzTime(at)}`;
  return [
    describeTeam(followUp),
    ...(withdrawnAt ? [`withdrawn, recorded ${formatStep(withdrawnBy, withdrawnAt)}`] : []),
    ...(noContactAt ? [`DO NOT CONTACT, recorded ${formatStep(noContactBy, noContactAt)}`] : []),
  ].join(', ');
}

function describeTeam({ takenBy, takenAt, answeredBy, answeredAt }: FollowUp): string {
  if (answeredAt && answeredBy === null) return 'from before follow-ups';
  const step = answeredAt ? 'answered' : 'taken';
  const [by, at] = answeredAt ? [answeredBy, answeredAt] : [takenBy, takenAt];
  return at ? `${step} by ${terminalSafe(by ?? '')} on ${nzTime(at)}` : 'taken by nobody yet';
}

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const;

/** '90 minutes', '3 hours', '4 days': one unit, whole ones only. */
export function formatWait(ms: number): string {
  const [size, name] = units.find(([unit]) => ms >= 2 * unit) ?? [60_000, 'minute'];
  return formatCount(Math.max(0, Math.floor(ms / size)), name);
}
