import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createApp } from './app.ts';
import { createAltcha } from './bot-check/altcha.ts';
import type { BotCheck } from './bot-check/bot-check.ts';
import { keptSecret } from './bot-check/kept-secret.ts';
import { createRecaptcha } from './bot-check/recaptcha.ts';
import { BadContent } from './content/content.ts';
import { openContent } from './content/content-source.ts';
import { createFolderTransport } from './delivery/folder-transport.ts';
import { writeMail } from './delivery/mail.ts';
import { createMessage } from './delivery/message.ts';
import { createNoticing } from './delivery/noticing.ts';
import { createRetention } from './delivery/retention.ts';
import { createSmtpTransport } from './delivery/smtp-transport.ts';
import { createDeliveryChecks } from './delivery/trouble.ts';
import { createWorker } from './delivery/worker.ts';
import { createLog } from './http/log.ts';
import { loadBuiltRenderer } from './pages/built-renderer.ts';
import { startDevelopmentRenderer } from './pages/development-renderer.ts';
import { createPages } from './pages/pages.ts';
import { createPhotos } from './photos/create-photos.ts';
import { writeForOwnerOnly } from './private-file.ts';
import { runEvery } from './recurring.ts';
import { BadSettings, readSettings, type Settings } from './settings.ts';
import { explainDatabase, explainDataDir, explained, explainListening } from './start-problems.ts';
import { openPostgresStore } from './submissions/postgres-store.ts';
import { createSeal } from './submissions/seal.ts';
import { openSqliteStore } from './submissions/sqlite-store.ts';
import { StoreNotDurable } from './submissions/submission-store.ts';
import { createSubmit } from './submissions/submit.ts';

/** The only place that builds things: settings, then parts, then listen, then close. */

/** A request in hand at a SIGTERM gets this long. One that is slower is an upload that may never end. */
const answerMs = 5_000;
/** All that is in hand gets this long; after it the process ends anyway. */
const closeMs = 9_000;

const lookForTroubleMs = 5 * 60_000;
const eraseExpiredMs = 60 * 60_000;

async function start(settings: Settings, development: boolean): Promise<void> {
  const log = createLog(settings.logLevel);
  const content = await openContent(settings.contentDir, {
    changed: () => log.info({ event: 'content changed' }),
    broken: (error) => {
      for (const { file, line, message } of error.problems) {
        log.error({ event: 'content not taken up', file, line, problem: message });
      }
    },
  });
  const { databaseUrl, dataDir } = settings;
  const store = databaseUrl
    ? await explained(explainDatabase, () =>
        openPostgresStore(databaseUrl, (err) => log.error({ event: 'database connection lost', err })),
      )
    : await explained(explainDataDir, () => openSqliteStore(dataDir));
  const botCheck = await explained(explainDataDir, () =>
    createBotCheck(settings, (reason) => log.warn({ event: 'bot check not reachable', reason })),
  );
  const now = () => new Date();
  const mailFolder = join(dataDir, 'mail');
  const { smtpUrl, ...addresses } = settings.mail;
  const transport = smtpUrl
    ? createSmtpTransport({ url: smtpUrl, name: addresses.from.slice(addresses.from.indexOf('@') + 1) })
    : createFolderTransport(mailFolder);
  const worker = createWorker({
    queue: store,
    send: async (submission) =>
      transport.send(await writeMail(createMessage(submission, content.current().site, addresses, now()))),
    now,
    log,
  });
  const lookForTrouble = createNoticing({
    queue: store,
    transport,
    site: () => content.current().site,
    addresses,
    now,
    log,
  });

  const submitForm = createSubmit({
    store,
    botCheck,
    now,
    seal: settings.sealTo.length > 0 ? createSeal(settings.sealTo) : undefined,
    onKept: ({ reference }) => {
      log.info({ event: 'submission kept', reference });
      worker.wake();
    },
    onUnavailable: (err) => log.error({ event: 'submission not kept', err }),
  });

  const photos = await createPhotos({ ...settings, content, log });
  const pages = createPages({
    renderer: development ? await startDevelopmentRenderer() : await loadBuiltRenderer(),
    content,
    contentDir: settings.contentDir,
    photos,
    botCheck: botCheck.client,
    retentionDays: settings.retentionDays,
    publicUrl: settings.publicUrl,
    now: () => new Date(),
    onFailed: (err) => log.error({ event: 'pages not rendered', err }),
  });
  const app = await createApp({
    content,
    submitForm,
    botCheck,
    photos,
    pages,
    health: [
      () =>
        store.checkWritable().then(
          () => null,
          () => 'the database does not take a write',
        ),
      ...createDeliveryChecks(store, now),
    ],
    log,
    publicUrl: settings.publicUrl,
    trustProxy: settings.trustProxy,
    introspection: development,
  });

  const { host, port: wanted } = settings;
  await explained(explainListening, () => app.listen({ host, port: wanted }));

  // From here on, and not before: a start that fails has sent nothing and erased nothing.
  const { retentionDays } = settings;
  const eraseExpired = createRetention({ archive: store, mailFolder, retentionDays, now });
  const chores = [
    runEvery(lookForTroubleMs, lookForTrouble, (err) =>
      log.error({ event: 'trouble could not be looked for', err }),
    ),
    runEvery(
      eraseExpiredMs,
      async () => {
        const { count, scrubbed } = await eraseExpired();
        if (count > 0 || !scrubbed)
          log.info({ event: scrubbed ? 'erased' : 'erased but not scrubbed', count });
      },
      (err) => log.error({ event: 'expired requests not erased', err }),
    ),
  ];
  worker.start();

  let closing = false;
  async function close(signal: string): Promise<void> {
    if (closing) return;
    closing = true;
    log.info({ event: 'closing', reason: signal });
    setTimeout(() => process.exit(1), closeMs).unref();
    content.close();
    for (const end of chores) end();
    setTimeout(() => app.server.closeAllConnections(), answerMs).unref();
    // Fastify closes those that only wait once; one that was answered after that would wait for its next request.
    setInterval(() => app.server.closeIdleConnections(), 100).unref();
    // All at once: mail that was taken now, for as long as a request lasts, might not be done in time.
    await Promise.all([app.close(), worker.stop(), photos.close()]);
    await store.close();
    log.flush();
    log.info({ event: 'closed' });
    process.exit(0);
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void close(signal));

  const { port } = app.server.address() as AddressInfo;
  log.info({ event: 'listening', port });
  console.log(`
  Āwhina is at ${settings.publicUrl ?? `http://${host === '127.0.0.1' ? 'localhost' : host}:${port}`}

  content    ${settings.contentDir}
  requests   ${store.description}
  mail       ${transport.description}
  bot check  ${botCheck.description}
  pictures   ${photos.description}
`);
}

function createBotCheck(settings: Settings, onUnverified: (reason: string) => void): BotCheck {
  if (!settings.recaptcha || !settings.publicUrl) {
    return createAltcha(settings.botCheckSecret ?? keptSecret(settings.dataDir));
  }
  return createRecaptcha({
    ...settings.recaptcha,
    hostname: new URL(settings.publicUrl).hostname,
    onUnverified,
  });
}

writeForOwnerOnly();
try {
  await start(readSettings(), process.argv.includes('--dev'));
} catch (error) {
  const known =
    error instanceof BadSettings || error instanceof BadContent || error instanceof StoreNotDurable;
  console.error(known ? `\n${error.message}\n` : error);
  process.exit(1);
}
