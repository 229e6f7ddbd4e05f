import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';

const heartbeatDefaults = { attempts: 3, pauseMs: 5_000, timeoutMs: 10_000 };

/**
 * Tells a watchdog that all is well, by requesting its URL. The URL is a secret, since anybody who has it can do the same:
 * it is never logged, and redirects are not followed.
 */
export function createHeartbeat(
  url: string,
  log: Pick<Logger, 'warn'>,
  options: Partial<typeof heartbeatDefaults> = {},
) {
  const { attempts, pauseMs, timeoutMs } = { ...heartbeatDefaults, ...options };

  /** Never rejects: the watchdog itself alerts when it hears nothing. */
  return async function sendHeartbeat(stopping: AbortSignal): Promise<void> {
    for (let attempt = 1; !stopping.aborted; attempt++) {
      const problem = await ask(url, AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]));
      if (problem === null) return;
      if (attempt >= attempts) return log.warn({ event: 'heartbeat not heard', reason: problem, attempts });
      await setTimeout(pauseMs, undefined, { signal: stopping }).catch(() => {});
    }
  };
}

async function ask(url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal });
    await response.body?.cancel();
    return response.ok ? null : `HTTP ${response.status}`;
  } catch (error) {
    return connectionProblem(error);
  }
}

/** Only the code: the message of such an error quotes the URL. */
export function connectionProblem(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: unknown } };
  const code = cause?.code;
  if (typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code)) return code;
  return name === 'TimeoutError' || name === 'AbortError' ? 'no answer in time' : 'no connection';
}
