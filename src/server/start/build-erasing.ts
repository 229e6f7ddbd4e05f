import type { ErasingStore } from '../erasure/erase-request.ts';
import { createRetention } from '../erasure/retention.ts';
import type { Settings } from '../settings/settings.ts';
import type { Archive } from '../store/contract/archive.ts';
import type { FollowUps } from '../store/contract/follow-ups.ts';
import { createClockCheck } from '../time/clock-trust.ts';
import type { DeliveryParts } from './build-delivery.ts';
import { createClockWatch } from './clock-watch.ts';

interface BuildErasingParts {
  settings: Settings;
  delivery: DeliveryParts;
  store: Archive & ErasingStore & Pick<FollowUps, 'recordRead'>;
}

/** What erases requests, and what says by which clock. */
export function buildErasing({ settings, delivery, store }: BuildErasingParts) {
  const clockCheck = createClockCheck(delivery.now);
  return {
    checkClock: clockCheck.checkClock,
    eraseExpired: createRetention({ ...settings, ...delivery, archive: store, ...clockCheck }),
    clockWatch: createClockWatch({ ...delivery, ...clockCheck, store }),
  };
}
