import type { ErasingStore } from '../erasure/erase-request.ts';
import { createRetention } from '../erasure/retention.ts';
import type { Settings } from '../settings/settings.ts';
import type { Archive } from '../store/contract/archive.ts';
import type { FollowUps } from '../store/contract/follow-ups.ts';
import { type ClockFault, createClockCheck, describeClockFault } from '../time/clock-trust.ts';
import type { DeliveryParts } from './build-delivery.ts';

interface BuildErasingParts {
  settings: Settings;
  delivery: DeliveryParts;
  store: Archive & ErasingStore & Pick<FollowUps, 'recordRead'>;
}

/** What erases requests, and what says by which clock. */
export function buildErasing({ settings, delivery, store }: BuildErasingParts) {
  const clockCheck = createClockCheck(delivery.now);
  const { checkClock } = clockCheck;
  return {
    checkClock,
    eraseExpired: createRetention({ ...settings, ...delivery, archive: store, ...clockCheck }),
    clockWatch: createClockWatch(delivery, async () => checkClock(await store.findTimes())?.fault ?? null),
  };
}

/** Tells staff of a clock in doubt: at once, and not at the next erasing. */
function createClockWatch(
  { alertStaff, log }: Pick<DeliveryParts, 'alertStaff' | 'log'>,
  findFault: () => Promise<ClockFault | null>,
) {
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
      const fault = await findFault();
      if (fault || last !== 'jumped') await tell(fault);
    },
    fault: () => last,
  };
}

export type ClockWatch = ReturnType<typeof createClockWatch>;
