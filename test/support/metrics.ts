import { onTestFinished } from 'vitest';
import { submitMutations } from '../../src/model/operations.ts';
import { createAltcha } from '../../src/server/bot-check/altcha.ts';
import { createMetrics, type MetricSources } from '../../src/server/metrics/metrics.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { createSubmit } from '../../src/server/submissions/submit.ts';
import { inject, prepareApp } from './app.ts';
import { sampleEntries } from './forms.ts';
import { collectLog } from './log.ts';
import { temporaryFolder } from './temporary.ts';
import { mintToken, testSecret } from './tokens.ts';

export const healthy = async () => ({ problems: [], warnings: [] });

/** The app with real parts that report to the metrics, and the server of the metrics on a port of its own. */
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
  const { app } = await prepareApp({ botCheck, submitForm, metrics });
  const { log, lines } = collectLog();
  async function serve() {
    const well = { ready: healthy, deliveries: healthy };
    const server = await metrics.serve({ port: 0, health: well, store, dataDir, now, log, ...changes });
    if (!server) throw new Error(lines.join(''));
    onTestFinished(() => server.close());
    return server.port;
  }
  const port = await serve();
  const read = async (from = port) => (await fetch(`http://127.0.0.1:${from}/metrics`)).text();
  const submit = async (form: 'help' | 'contact', fields: object[] = sampleEntries[form], token?: string) =>
    inject(app, submitMutations[form], { fields, recaptchaToken: token ?? (await mintToken()) });
  return { app, store, port, serve, read, submit, lines, metrics, log };
}

/** The value of a series; undefined if the page has no such series. */
export function readSeries(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}
