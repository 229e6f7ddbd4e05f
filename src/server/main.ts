import type { AddressInfo } from 'node:net';
import { createApp } from './app.ts';
import { createAltcha } from './bot-check/altcha.ts';
import type { BotCheck } from './bot-check/bot-check.ts';
import { keptSecret } from './bot-check/kept-secret.ts';
import { createRecaptcha } from './bot-check/recaptcha.ts';
import { BadContent } from './content/content.ts';
import { openContent } from './content/content-source.ts';
import { createLog } from './http/log.ts';
import { loadBuiltRenderer, loadDevelopmentRenderer, type Renderer } from './pages/renderer.ts';
import { createPhotos } from './photos/create-photos.ts';
import { BadSettings, readSettings, type Settings } from './settings.ts';
import { openPostgresStore } from './submissions/postgres-store.ts';
import { openSqliteStore } from './submissions/sqlite-store.ts';
import { createSubmit } from './submissions/submit.ts';

/** The only place that builds things: settings, then parts, then listen, then close. */

/** What is in hand at a SIGTERM gets this long; after it the process ends anyway. */
const closeMs = 9_000;

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
  const store = settings.databaseUrl
    ? await openPostgresStore(settings.databaseUrl, (err) =>
        log.error({ event: 'database connection lost', err }),
      )
    : openSqliteStore(settings.dataDir);
  const botCheck = createBotCheck(settings, (reason) =>
    log.warn({ event: 'bot check not reachable', reason }),
  );
  const submitForm = createSubmit({
    store,
    botCheck,
    now: () => new Date(),
    onKept: ({ reference }) => log.info({ event: 'submission kept', reference }),
    onUnavailable: (err) => log.error({ event: 'submission not kept', err }),
  });

  const photos = await createPhotos({ ...settings, content, log });
  const renderer = development ? await startDevelopment() : await loadBuiltRenderer();
  const app = await createApp({
    content,
    submitForm,
    botCheck,
    photos,
    pages: { html: () => renderer.render(content.current().site) },
    health: [
      () =>
        store.checkWritable().then(
          () => null,
          () => 'the database does not take a write',
        ),
    ],
    log,
    publicUrl: settings.publicUrl,
    trustProxy: settings.trustProxy,
    introspection: development,
  });

  let closing = false;
  async function close(signal: string): Promise<void> {
    if (closing) return;
    closing = true;
    log.info({ event: 'closing', reason: signal });
    setTimeout(() => process.exit(1), closeMs).unref();
    content.close();
    await app.close();
    await photos.close();
    await store.close();
    log.info({ event: 'closed' });
    process.exit(0);
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void close(signal));

  await app.listen({ host: settings.host, port: settings.port });
  const { port } = app.server.address() as AddressInfo;
  log.info({ event: 'listening', port });
  console.log(`
  Āwhina is at ${settings.publicUrl ?? `http://${settings.host === '127.0.0.1' ? 'localhost' : settings.host}:${port}`}

  content    ${settings.contentDir}
  requests   ${store.description}
  mail       ${settings.mail.smtpUrl ? `SMTP at ${new URL(settings.mail.smtpUrl).host}` : 'not sent yet'}
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

/** Renders from the sources, afresh each time. */
async function startDevelopment(): Promise<Renderer> {
  const { createServer } = await import('vite');
  const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' });
  return loadDevelopmentRenderer(vite);
}

try {
  await start(readSettings(), process.argv.includes('--dev'));
} catch (error) {
  const known = error instanceof BadSettings || error instanceof BadContent;
  console.error(known ? `\n${error.message}\n` : error);
  process.exit(1);
}
