import './hardening/disable-zod-jit.ts';

import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createApp } from './app.ts';
import { createBotCheck } from './bot-check/create-bot-check.ts';
import { createSharedAltcha } from './bot-check/shared-altcha.ts';
import { keepSecret, keptSecret } from './bot-check/stored-secret.ts';
import { BadContent } from './content/content.ts';
import { describeFault, describeLastingFault } from './content/content-source.ts';
import { refuseExamples } from './content/example-trust.ts';
import { createAlarm } from './delivery/alarm.ts';
import { createEscalating } from './delivery/escalating.ts';
import { clearingFolder, createFolderTransport } from './delivery/folder-transport.ts';
import { createHeldMail } from './delivery/held-mail.ts';
import { createNoticing } from './delivery/noticing.ts';
import { createRetention } from './delivery/retention.ts';
import { createSend } from './delivery/send-submission.ts';
import { createSmtpTransport } from './delivery/smtp-transport.ts';
import { createWorker } from './delivery/worker.ts';
import { refuseGeneratedCode } from './hardening/refuse-generated-code.ts';
import { createLog } from './http/log.ts';
import { openBuild } from './pages/open-build.ts';
import { createPages } from './pages/pages.ts';
import { createPhotos } from './photos/create-photos.ts';
import { createPlainPosts } from './plain-forms/plain-posts.ts';
import { createCanaryMarks } from './self-checks/canary-mark.ts';
import { createProof } from './self-checks/self-checks.ts';
import { createWeeklyLetter } from './self-checks/weekly-letter.ts';
import { BadSettings, readSettings, type Settings } from './settings/settings.ts';
import { becomeOwner } from './start/data-owner.ts';
import { followContent } from './start/follow-content.ts';
import { openStore } from './start/open-store.ts';
import { createChores } from './start/scheduled-jobs.ts';
import { createSiteHealth } from './start/site-health.ts';
import { describeStart } from './start/start-lines.ts';
import { explainDataDir, explained, explainListening } from './start/start-problems.ts';
import { StoreUnfit } from './store/contract/submission-store.ts';
import { createKeeping } from './submissions/store-health.ts';
import { createSubmit } from './submissions/submit.ts';
import { createClockTrust } from './time/clock-trust.ts';

/** The only place that builds things: settings, then parts, then listen, then close. */

/** A request in hand at a SIGTERM gets this long. One that is slower is an upload that may never end. */
const answerMs = 5_000;
/** All that is in hand gets this long; after it the process ends anyway. */
const closeMs = 9_000;

async function start(settings: Settings, development: boolean): Promise<void> {
  const log = createLog(settings.logLevel);
  const { dataDir, retentionDays, sealTo } = settings;
  const { content, keep: keepContent } = await followContent(settings, log);
  await refuseExamples(settings.contentDir, settings.publicUrl);
  const now = () => new Date();
  const secret = await explained(explainDataDir, () => settings.botCheckSecret ?? keptSecret(dataDir));
  const altcha = createSharedAltcha(secret);
  const plainPosts = createPlainPosts(secret, now);
  const canaryMarks = createCanaryMarks(secret, now);
  const warnUnverified = (reason: string) => log.warn({ event: 'bot check not reachable', reason });
  const botCheck = createBotCheck(settings, altcha, warnUnverified);

  const metrics = settings.metrics ? (await import('./metrics/metrics.ts')).createMetrics() : null;
  const opened = await openStore(settings, {
    log,
    async onBack(database) {
      if (settings.botCheckSecret) return;
      const shared = await database.shareSecret('bot check', secret);
      keepSecret(dataDir, shared);
      altcha.adopt(shared);
      plainPosts.adopt(shared);
      canaryMarks.adopt(shared);
    },
    // Whoever runs the server starts it again, with a thread for the database (deploy/awhina.service does).
    onLost: () => void close('database lost', 1),
  });
  const store = metrics?.watchStore(opened) ?? opened;

  const mailFolder = join(dataDir, 'mail');
  const { smtpUrl, ca, escalateTo, ...addresses } = settings.mail;
  const transport = smtpUrl
    ? clearingFolder(createSmtpTransport({ url: smtpUrl, ca, from: addresses.from }), mailFolder)
    : createFolderTransport(mailFolder);
  const site = () => content.current().site;
  const worker = createWorker({
    queue: store,
    send: createSend({ transport, site, addresses, canaryTo: settings.canary?.to, now }),
    now,
    log,
  });
  const raise = createAlarm({ transport, site, addresses, escalateTo, now, log });
  const address = () => app.server.address() as AddressInfo;
  const post = { transport, addresses, escalateTo, now, log };
  const proof = createProof({ ...post, settings, store, marks: canaryMarks, raise, address });
  const { doubt: doubtClock } = createClockTrust(now);
  const keeping = createKeeping({
    store,
    onFailed: (reason) => log.error({ event: 'requests cannot be kept', reason }),
    onWorking: () => log.info({ event: 'requests can be kept again' }),
  });
  const { keepBuild, ...build } = await openBuild({ ...settings, development, content, now, log });
  const chores = createChores({
    dataDir,
    keepBuild,
    lookForTrouble: createNoticing({ queue: store, transport, site, addresses, now, log }),
    sendHeld: createHeldMail({ queue: store, transport, site, addresses, now, log }),
    escalate: createEscalating({ queue: store, transport, site, addresses, to: escalateTo, now, log }),
    eraseExpired: createRetention({ archive: store, mailFolder, dataDir, retentionDays, now, doubtClock }),
    unpark: async (afterMs) => {
      const count = await store.unpark(now(), afterMs);
      worker.wake();
      return count;
    },
    raise,
    findKeepingProblem: keeping.findProblem,
    findContentProblem: () => describeLastingFault(content.fault()),
    log,
  });

  const submitForm = createSubmit({
    store,
    botCheck,
    now,
    dataDir: settings.databaseUrl ? undefined : dataDir,
    // Loaded only where it is used: it is a sixth of what a start costs.
    seal: sealTo.length > 0 ? (await import('./submissions/seal.ts')).createSeal(sealTo) : undefined,
    onKept: ({ reference }, isCanary) => {
      keeping.kept();
      log.info({ event: isCanary ? 'canary kept' : 'submission kept', reference });
      worker.wake();
    },
    onTokenRefused: (reason) => {
      log.warn({ event: 'token refused', reason });
      metrics?.tokenRefused(reason);
    },
    onUnavailable: (err) => {
      keeping.failed(err);
      log.error({ event: 'submission not kept', reason: err.problem, err });
      // A lock that is gone a moment later is nothing to wake staff for.
      void keeping.findProblem().then((problem) => (problem ? raise('keeping', problem) : undefined));
    },
  });

  const photos = await createPhotos({ ...settings, content, log });
  const pages = createPages({
    ...build,
    content,
    photos,
    botCheck: botCheck.client,
    retentionDays: settings.retentionDays,
    publicUrl: settings.publicUrl,
    signTime: plainPosts.signTime,
    now,
    onFailed: (err) => log.error({ event: 'pages not rendered', err }),
  });
  const health = createSiteHealth({
    keeping,
    store,
    dataDir,
    mailFolder,
    clockFault: chores.clockFault,
    contentFault: content.fault,
    proof,
    now,
  });
  const weekly = createWeeklyLetter({ ...post, ...proof, settings, store, health, site, doubtClock });
  const app = await createApp({
    ...settings,
    content,
    submitForm,
    plainPosts,
    botCheck,
    photos,
    pages,
    health,
    counting: metrics ?? undefined,
    log,
    canaryMarks,
  });

  // The routes are there. Vite, which serves development, makes code of every module.
  await app.ready();
  if (!development) refuseGeneratedCode();

  await explained(explainListening, () => app.listen({ host: settings.host, port: settings.port }));
  const listenOn = settings.metrics ?? { port: 0 };
  const figures = await metrics?.serve({ ...proof, ...listenOn, health, store, dataDir, now, log });

  // Ours are all loaded by now. Another thread or addon would be bound by no other permission (docs/decisions/0047).
  for (const scope of ['worker', 'addon']) process.permission?.drop(scope);

  // From here on, and not before: a start that fails has sent nothing and erased nothing.
  await Promise.all([keepBuild(), keepContent()]);
  chores.start();
  if ('watch' in store) store.watch();
  worker.start();
  proof.start();
  weekly.start();

  let closing = false;
  async function close(reason: string, exitCode = 0): Promise<void> {
    if (closing) return;
    closing = true;
    log.info({ event: 'closing', reason });
    setTimeout(() => process.exit(1), closeMs).unref();
    content.close();
    setTimeout(() => app.server.closeAllConnections(), answerMs).unref();
    // Fastify closes those that only wait once; one that was answered after that would wait for its next request.
    setInterval(() => app.server.closeIdleConnections(), 100).unref();
    // All at once: mail that was taken now, for as long as a request lasts, might not be done in time.
    const stopped = [worker, chores, proof, weekly].map((part) => part.stop());
    await Promise.all([...stopped, app.close(), photos.close(), figures?.close()]);
    await store.close();
    log.flush();
    log.info({ event: 'closed' });
    process.exit(exitCode);
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void close(signal));

  const { port } = address();
  const fault = content.fault();
  log.info({ event: 'listening', port });
  console.log(
    await describeStart({
      settings,
      contentFault: fault && describeFault(fault),
      port,
      mailFolder,
      requests: store.description,
      mail: transport.description,
      botCheck: botCheck.description,
      pictures: photos.description,
    }),
  );
}

try {
  becomeOwner();
  await start(readSettings(), process.argv.includes('--dev'));
} catch (error) {
  const known = error instanceof BadSettings || error instanceof BadContent || error instanceof StoreUnfit;
  console.error(known ? `\n${error.message}\n` : error);
  process.exit(1);
}
