import { setTimeout } from 'node:timers/promises';
import { callSecretUrl } from '../hardening/call-secret-url.ts';
import type { Log } from '../log/log.ts';

const heartbeatDefaults = { attempts: 3, pauseMs: 5_000, timeoutMs: 10_000 };

/** Tells a watchdog that all is well, by requesting its URL. The URL is a secret, since anybody who has it can do the same. */
export function createHeartbeat(
  url: string,
  log: Pick<Log, 'warn'>,
  options: Partial<typeof heartbeatDefaults> = {},
) {
  const { attempts, pauseMs, timeoutMs } = { ...heartbeatDefaults, ...options };

  /** Never rejects: the watchdog itself alerts when it hears nothing. */
  return async function sendHeartbeat(stopping: AbortSignal): Promise<void> {
    for (let attempt = 1; !stopping.aborted; attempt++) {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]);
      const problem = await callSecretUrl(url, { signal });
      if (problem === null) return;
      if (attempt >= attempts) return log.warn({ event: 'heartbeat failed', reason: problem, attempts });
      await setTimeout(pauseMs, undefined, { signal: stopping }).catch(() => {});
    }
  };
}
