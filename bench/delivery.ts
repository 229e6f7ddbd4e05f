import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { toEntries } from '../src/model/answers.ts';
import type { BotCheck } from '../src/server/bot-check/bot-check.ts';
import { readContent } from '../src/server/content/content.ts';
import { createSubmissionMail } from '../src/server/delivery/letter/submission-mail.ts';
import { writeMail } from '../src/server/delivery/mail.ts';
import { createWorker } from '../src/server/delivery/queue/worker.ts';
import { createSmtpTransport } from '../src/server/delivery/smtp/smtp-transport.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { unlimitedQuota } from '../src/server/submissions/quota.ts';
import { createSubmit } from '../src/server/submissions/submit.ts';
import { type Finding, median } from './report.ts';

/** Does mail that hangs slow submissions down? The same submissions, with and without a worker in that plight. */

const visitors = 50;
/** Long enough that the four mails written at the start do not show. */
const submissions = 10_000;
const rounds = 3;

export async function measureDeliveryDrag(): Promise<Finding[]> {
  const silent = await startSilentServer();
  const results: { without: number; hanging: number }[] = [];
  try {
    // The first round warms up. Then by turns, so that what else the machine does falls on both.
    for (let round = 0; round <= rounds; round++) {
      const pair = { without: await measure(null), hanging: await measure(silent.port) };
      if (round > 0) results.push(pair);
    }
  } finally {
    await silent.close();
  }
  const middle = (of: (pair: { without: number; hanging: number }) => number) => median(results.map(of));
  return [
    { name: 'submissions a second, no mail', value: Math.round(middle(({ without }) => without)) },
    { name: 'submissions a second, every mail hangs', value: Math.round(middle(({ hanging }) => hanging)) },
    // 1 would mean that it makes no difference.
    { name: 'submissions, ratio', value: middle(({ without, hanging }) => hanging / without), atLeast: 0.9 },
  ];
}

async function measure(smtpPort: number | null): Promise<number> {
  const { site, forms } = await readContent('content');
  const folder = await mkdtemp(join(tmpdir(), 'awhina-bench-'));
  const store = await openSqliteStore(folder);
  const now = () => new Date();
  const addresses = { from: 'a@b.example', to: { help: ['c@d.example'], contact: ['e@f.example'] } };
  const transport = createSmtpTransport({
    url: `smtp://127.0.0.1:${smtpPort ?? 1}`,
    from: 'website@b.example',
  });
  const worker = createWorker({
    queue: store,
    send: async (submission) =>
      transport.send(await writeMail(createSubmissionMail(submission, site, addresses, now()))),
    now,
    log: pino({ level: 'silent' }),
    options: { stopMs: 0 },
  });
  const submitForm = createSubmit({ store, botCheck: believing, now, onStored: () => worker.wake() });
  if (smtpPort !== null) worker.start();

  const form = forms.contact;
  const entries = toEntries(form.definition, {
    FirstName: 'B',
    Email: 'b@b.example',
    Subject: 'B',
    Message: 'B',
  });
  const started = performance.now();
  let left = submissions;
  const visit = async () => {
    while (left-- > 0) {
      const outcome = await submitForm(form, entries, randomUUID(), unlimitedQuota);
      if (!outcome.ok) throw new Error(outcome.message);
    }
  };
  await Promise.all(Array.from({ length: visitors }, visit));
  const seconds = (performance.now() - started) / 1000;

  await worker.stop();
  await store.close();
  await rm(folder, { recursive: true, force: true });
  return submissions / seconds;
}

/** Proof of work is not what is measured here. */
export const believing: BotCheck = {
  description: 'none',
  client: { kind: 'altcha', challengePath: '' },
  identify: (token) => token,
  verify: async () => ({ ok: true, verdict: { kind: 'clean' } }),
};

/** Takes every connection and never says hello. */
async function startSilentServer(): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
