import type { CanaryState } from '../contract/canary.ts';
import { toDate } from './submission-row.ts';

export function toCanaryState(row: Record<string, unknown>): CanaryState {
  return {
    triedFor: toDate(row.tried_for),
    tryAt: toDate(row.try_at),
    failures: Number(row.failures),
    succeededAt: toDate(row.succeeded_at),
    failedAt: toDate(row.failed_at),
    problem: row.problem as string | null,
  };
}
