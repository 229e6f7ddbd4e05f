import type { BotCheck } from '../bot-check/bot-check.ts';
import type { Log } from '../log/log.ts';
import type { MetricsSink } from '../metrics/metrics-sink.ts';
import type { Settings } from '../settings/settings.ts';
import type { SubmissionStore } from '../store/contract/store.ts';
import { createStoreHealth } from '../submissions/store-health.ts';
import { createSubmit } from '../submissions/submit.ts';
import type { DeliveryParts } from './build-delivery.ts';

interface BuildSubmitParts {
  settings: Settings;
  store: SubmissionStore;
  botCheck: BotCheck;
  delivery: Pick<DeliveryParts, 'worker' | 'alertWorker' | 'alertStaff'>;
  metrics: MetricsSink;
  now: () => Date;
  log: Log;
}

/** What takes a form, and what knows whether forms can be stored. */
export async function buildSubmit(parts: BuildSubmitParts) {
  const { settings, store, botCheck, delivery, metrics, now, log } = parts;
  const { dataDir, databaseUrl, sealTo } = settings;
  const storeHealth = createStoreHealth({
    store,
    onFailed: (reason) => log.error({ event: 'store failed', reason }),
    onWorking: () => log.info({ event: 'store works again' }),
  });
  const submitForm = createSubmit({
    store,
    botCheck,
    now,
    alerts: delivery.alertWorker !== undefined,
    urgentWithinMs: settings.reminders?.urgentWithinMs,
    dataDir: databaseUrl ? undefined : dataDir,
    // Loaded only where a key is set: the library takes a sixth of the time of a start.
    seal: sealTo.length > 0 ? (await import('../submissions/seal.ts')).createSeal(sealTo) : undefined,
    onStored: ({ reference }, stored) => {
      storeHealth.recordSuccess();
      metrics.onStored(stored);
      log.info({ event: stored.canary ? 'canary stored' : 'submission stored', reference });
      delivery.worker.wake();
      if (stored.urgent) delivery.alertWorker?.wake();
    },
    onTokenRefused: (reason) => {
      log.warn({ event: 'token refused', reason });
      metrics.onTokenRefused(reason);
    },
    onUnavailable: (err) => {
      storeHealth.recordFailure(err);
      log.error({ event: 'submission not stored', reason: err.problem, err });
      // The store is tried once more before staff are alerted: a lock may be gone a moment later.
      void storeHealth
        .findProblem()
        .then((problem) => (problem ? delivery.alertStaff('keeping', problem) : undefined));
    },
  });
  return { storeHealth, submitForm };
}
