import type { AddressInfo } from 'node:net';
import type { Settings } from '../settings/settings.ts';
import { type Canary, type CanaryParts, createCanary } from './canary.ts';
import { createHeartbeat } from './heartbeat.ts';

export interface SiteCanaryParts extends Pick<CanaryParts, 'store' | 'marks' | 'alertStaff' | 'now' | 'log'> {
  settings: Pick<Settings, 'canary' | 'heartbeatUrl'>;
  /** Where this server listens. */
  address: () => AddressInfo;
}

/** The canary as the settings want it. */
export function createSiteCanary({ settings, address, ...parts }: SiteCanaryParts): Canary {
  const { canary, heartbeatUrl } = settings;
  return createCanary({
    ...parts,
    at: canary?.at ?? null,
    url: () => canary?.url ?? ownUrl(address()),
    beat: heartbeatUrl ? createHeartbeat(heartbeatUrl, parts.log) : async () => {},
  });
}

/** Who listens everywhere is also here. */
export function ownUrl({ address, family, port }: AddressInfo): string {
  const here = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  return `http://${family === 'IPv6' ? `[${here}]` : here}:${port}`;
}
