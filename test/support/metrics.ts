import { onTestFinished } from 'vitest';
import { submitMutations } from '../../src/model/operations.ts';
import { createAltcha } from '../../src/server/bot-check/altcha.ts';
import type { MetricSources } from '../../src/server/metrics/gauges.ts';
import { createMetrics } from '../../src/server/metrics/metrics.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { createSubmit } from '../../src/server/submissions/submit.ts';
import { inject, prepareApp } from './app.ts';
import { sampleEntries } from './forms.ts';
import { collectLog } from './log.ts';
import { temporaryFolder } from './temporary.ts';
import { mintToken, testSecret } from './tokens.ts';

export const healthy = async () => ({ problems: [], warnings: [], forStaff: [] });

/** The app with real parts that report to the metrics. */
export async function prepareMetrics(changes: Partial<MetricSources> = {}) {
  const metrics = createMetrics();
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  onTestFinished(() => store.close());
  const now = () => new Date();
  const botCheck = createAltcha(testSecret);
  const submitForm = createSubmit({
    ...{ store, botCheck, now, onTokenRefused: metrics.onTokenRefused },
    onStored: (_receipt, stored) => metrics.onStored(stored),
  });
  const { log } = collectLog();
  const health = { ready: healthy, deliveries: healthy };
  const selfChecks = { canary: async () => null, mailAcceptedAt: () => null };
  const read = () => metrics.gather({ health, ...selfChecks, store, dataDir, now, ...changes });
  const { app } = await prepareApp({ botCheck, submitForm, metrics, gatherMetrics: read });
  const submit = async (form: 'help' | 'contact', fields: object[] = sampleEntries[form], token?: string) =>
    inject(app, submitMutations[form], { fields, recaptchaToken: token ?? (await mintToken()) });
  return { app, store, read, submit, metrics, log };
}

/** The value of a series; undefined if the page has no such series. */
export function readSeries(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}
