/**
 * The delivery half of a server as a process of its own, so that a test can kill and freeze it. Started with the
 * database, the mail server's port and the worker's options; logs to its output.
 */
import { createLog } from '../../src/server/log/log.ts';
import { openPostgresStore } from '../../src/server/store/postgres/postgres-store.ts';
import { smtpTo, workerFor } from './delivery.ts';

export interface DeliveryProcessOptions {
  databaseUrl: string;
  smtpPort: number;
  leaseMs: number;
  concurrency: number;
}

const given = JSON.parse(process.argv[2] ?? '{}') as DeliveryProcessOptions;
const { databaseUrl, smtpPort, leaseMs, concurrency } = given;
const log = createLog('info');
const store = await openPostgresStore(databaseUrl, () => {});
// As with the real ones, a send ends before its lease does.
const transport = smtpTo(smtpPort, { timeouts: { wholeMs: leaseMs * 0.75 } });
const worker = workerFor(store, transport, () => new Date(), { leaseMs, concurrency, pollMs: 100 }, log);
worker.start();

process.on('SIGTERM', async () => {
  await worker.stop();
  await store.close();
  process.exit(0);
});
// A worker that waits keeps no process alive; the server's port does.
setInterval(() => {}, 60_000);
