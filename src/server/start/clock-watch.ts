import type { Alert } from '../delivery/notices/staff-alert.ts';
import type { Log } from '../log/log.ts';
import type { Archive } from '../store/contract/archive.ts';
import { type CheckClock, type ClockFault, describeClockFault } from '../time/clock-trust.ts';

interface ClockWatchParts {
  store: Pick<Archive, 'findTimes'>;
  checkClock: CheckClock;
  alertStaff: (alert: Alert, problem: string) => Promise<unknown>;
  log: Pick<Log, 'error'>;
}

/** Tells staff of a clock in doubt: at once, and not at the next erasing. */
export function createClockWatch({ store, checkClock, alertStaff, log }: ClockWatchParts) {
  let last: ClockFault | null = null;

  async function tell(fault: ClockFault | null): Promise<void> {
    const isNew = fault !== last;
    last = fault;
    if (fault === null) return;
    if (isNew) log.error({ event: 'erasing paused', reason: describeClockFault(fault) });
    await alertStaff('clock', describeClockFault(fault));
  }

  return {
    /** What the erasing found: that alone knows when a jump is over. */
    tell,
    async look(): Promise<void> {
      const fault = checkClock(await store.findTimes())?.fault;
      if (fault || last !== 'jumped') await tell(fault ?? null);
    },
    fault: () => last,
  };
}
