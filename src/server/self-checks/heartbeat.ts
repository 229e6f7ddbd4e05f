import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';

const heartbeatDefaults = { tries: 3, pauseMs: 5_000, timeoutMs: 10_000 };

/**
 * Tells a watchdog that all is well, by asking for its address and nothing else. That address is a secret: whoever has it
 * can say so too. It is in no log, and it is not followed to wherever it may lead.
 */
export function createHeartbeat(
  url: string,
  log: Pick<Logger, 'warn'>,
  options: Partial<typeof heartbeatDefaults> = {},
) {
  const { tries, pauseMs, timeoutMs } = { ...heartbeatDefaults, ...options };

  /** Never rejects: the watchdog itself tells when it hears nothing. */
  return async function sendHeartbeat(stopping: AbortSignal): Promise<void> {
    for (let tried = 1; !stopping.aborted; tried++) {
      const problem = await ask(url, AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]));
      if (problem === null) return;
      if (tried >= tries) return log.warn({ event: 'heartbeat not heard', reason: problem, attempts: tried });
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

/** By code alone: the words of such an error have the address in them. */
export function connectionProblem(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: unknown } };
  const code = cause?.code;
  if (typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code)) return code;
  return name === 'TimeoutError' || name === 'AbortError' ? 'no answer in time' : 'no connection';
}
