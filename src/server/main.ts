import './hardening/disable-zod-jit.ts';

import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createApp } from './app.ts';
import { BadContent } from './content/content.ts';
import { refuseExamples } from './content/example-trust.ts';
import { createReminders } from './delivery/reminders/reminders.ts';
import { createStaffProblems } from './delivery/reminders/unseen.ts';
import { refuseGeneratedCode } from './hardening/refuse-generated-code.ts';
import { createRecurringJobs } from './jobs/recurring-jobs.ts';
import { createLog, type Log } from './log/log.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createSelfChecks } from './self-checks/self-checks.ts';
import { createWeeklyLetters } from './self-checks/weekly-letter-job.ts';
import { BadSettings, readSettings, type Settings } from './settings/settings.ts';
import { buildDelivery } from './start/build-delivery.ts';
import { buildErasing } from './start/build-erasing.ts';
import { buildPages } from './start/build-pages.ts';
import { buildSigners } from './start/build-signers.ts';
import { buildSubmit } from './start/build-submit.ts';
import { becomeOwner } from './start/data-owner.ts';
import { openSiteContent } from './start/open-site-content.ts';
import { openStore } from './start/open-store.ts';
import { createScheduledJobs } from './start/scheduled-jobs.ts';
import { createShutdown } from './start/shutdown.ts';
import { createSiteHealth } from './start/site-health.ts';
import { describeStart } from './start/start-lines.ts';
import { explainListening, withExplanation } from './start/start-problems.ts';
import { StoreUnfit } from './store/contract/errors.ts';
import { createTimers } from './time/run-every.ts';

/**
 * The table of contents. Builds content, store, delivery, submissions, pages, self-checks and app, in the order in which
 * they need each other; then listens, and starts what runs without a request. src/server/start/ has the details.
 */
async function start(settings: Settings, development: boolean): Promise<void> {
  const now = () => new Date();
  const log: Log = createLog(settings.logLevel);
  const shutdown = createShutdown(log);
  const base = { settings, now, log };

  const { content, saveContent } = await openSiteContent(settings, log);
  await refuseExamples(settings.contentDir, settings.publicUrl);
  const site = () => content.current().site;

  const signers = await buildSigners(settings, now, log);
  const metrics = createMetrics();
  // Where the database is lost the supervisor starts the server again (deploy/awhina.service does).
  const onUnusable = () => void shutdown.close('database lost', 1);
  const store = await openStore(settings, { log, onBack: signers.shareSecret, onUnusable });

  const delivery = buildDelivery({ ...base, ...signers, queue: store, site, metrics });
  const { storeHealth, submitForm } = await buildSubmit({ ...base, ...signers, store, delivery, metrics });

  const rendering = { ...base, ...signers, development, content };
  const { photos, pages, writeAwayPage } = await buildPages(rendering);

  // Known once the server listens.
  const address = () => app.server.address() as AddressInfo;
  const findStaffProblems = createStaffProblems({ ...settings, ...delivery, store, content });
  const { checkClock, ...erasing } = buildErasing({ settings, delivery, store });
  const checking = { ...base, ...delivery, ...signers, store, checkClock, findStaffProblems };
  const selfChecks = createSelfChecks({ ...checking, address });
  const scheduled = { ...settings, ...delivery, content, storeHealth, writeAwayPage, ...erasing };
  const scheduledJobs = createScheduledJobs(scheduled);
  const checked = { store, content, pages, storeHealth, clockFault: erasing.clockWatch.fault, selfChecks };
  const health = createSiteHealth({ ...settings, ...delivery, ...checked });
  const withAlerts = delivery.alertWorker !== undefined;
  const reminders = createReminders({ ...base, ...delivery, store, content, withAlerts });
  const letters = createWeeklyLetters({ ...base, ...delivery, ...selfChecks, store, health });
  const recurring = [...reminders.recurring, ...letters, ...selfChecks.recurring];
  const recurringJobs = createRecurringJobs({ ...base, store, checkClock, jobs: recurring });
  const timers = createTimers([...scheduledJobs, ...reminders.timers, ...selfChecks.timers], log);

  const gatherMetrics = () => metrics.gather({ ...settings, ...selfChecks, health, store, now });
  const { mailPress } = delivery;
  const routes = { ...signers, store, submitForm, content, photos, pages, health, mailPress };
  const app = await createApp({ ...settings, ...base, ...routes, metrics, gatherMetrics });
  await listen(app, settings, development);

  // Every thread and addon of ours is loaded. A later one would escape the other permissions (docs/decisions/0047).
  for (const scope of ['worker', 'addon']) process.permission?.drop(scope);

  // Only now, so that a start that fails has sent nothing and erased nothing.
  await Promise.all([writeAwayPage(), saveContent()]);
  if ('watch' in store) store.watch();
  const all = [timers, delivery.worker, delivery.alertWorker, recurringJobs];
  const jobs = all.filter((job) => job !== undefined);
  for (const job of jobs) job.start();
  shutdown.watch({ content, app, selfChecks, jobs, store, others: [photos] });

  const { port } = address();
  log.info({ event: 'listening', port });
  console.log(await describeStart({ ...base, ...delivery, ...signers, port, content, store, photos }));
}

async function listen(app: FastifyInstance, { host, port }: Settings, development: boolean): Promise<void> {
  // The routes are complete. Vite, which serves development, makes code of every module.
  await app.ready();
  if (!development) refuseGeneratedCode();
  await withExplanation(explainListening, () => app.listen({ host, port }));
}

try {
  becomeOwner();
  await start(readSettings(), process.argv.includes('--dev'));
} catch (error) {
  const known = error instanceof BadSettings || error instanceof BadContent || error instanceof StoreUnfit;
  console.error(known ? `\n${error.message}\n` : error);
  process.exit(1);
}
