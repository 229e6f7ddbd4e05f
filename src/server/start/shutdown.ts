import type { Server } from 'node:http';
import type { Log } from '../log/log.ts';

/** A request that is being answered at a SIGTERM gets this long. A slower one is an upload that may never end. */
const answerMs = 5_000;
/** The process ends after this long, whatever is still running. */
const closeMs = 9_000;

interface ShutdownParts {
  content: { close(): void };
  app: { server: Server; close(): PromiseLike<unknown> };
  /** Ends what it is waiting for. */
  selfChecks: { stop(): void };
  /** Everything that sends mail or runs on a schedule. */
  jobs: readonly { stop(): Promise<unknown> }[];
  /** Closed after the app and the jobs, which still use the store. */
  store: { close(): Promise<void> };
  /** Closed together with the app. */
  others: readonly { close(): Promise<unknown> }[];
}

/** Ends the process in order, at a signal or when a part calls `close`. */
export function createShutdown(log: Log) {
  let parts: ShutdownParts | null = null;
  let closing = false;

  async function close(reason: string, exitCode = 0): Promise<void> {
    if (closing) return;
    closing = true;
    log.info({ event: 'closing', reason });
    setTimeout(() => process.exit(1), closeMs).unref();
    if (parts) await stop(parts);
    log.flush();
    log.info({ event: 'closed' });
    process.exit(exitCode);
  }

  return {
    close,
    /** From now on signals close these parts. Before, a signal ends the process at once. */
    watch(started: ShutdownParts): void {
      parts = started;
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void close(signal));
    },
  };
}

async function stop({ content, app, selfChecks, jobs, store, others }: ShutdownParts): Promise<void> {
  content.close();
  selfChecks.stop();
  setTimeout(() => app.server.closeAllConnections(), answerMs).unref();
  // Fastify closes idle connections once; a connection answered after that would wait for its next request.
  setInterval(() => app.server.closeIdleConnections(), 100).unref();
  // All at once: mail claimed while the last requests are answered might not be sent in time.
  await Promise.all([...jobs.map((job) => job.stop()), app.close(), ...others.map((part) => part.close())]);
  await store.close();
}
