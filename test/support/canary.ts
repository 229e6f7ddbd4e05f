import type { RequestListener } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import type { AppParts } from '../../src/server/app.ts';
import { createDeliveryWorker } from '../../src/server/delivery/queue/delivery-worker.ts';
import { createSendSubmission } from '../../src/server/delivery/queue/send-submission.ts';
import { type CanaryParts, createCanary } from '../../src/server/self-checks/canary.ts';
import { createCanaryMarks } from '../../src/server/self-checks/canary-mark.ts';
import type { SqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { prepareApp } from './app.ts';
import { smtpTo } from './delivery.ts';
import { shippedContent } from './forms.ts';
import { startLocal } from './local-server.ts';
import { collectLog } from './log.ts';
import { serverWith } from './recurring.ts';
import { startScriptedSmtp } from './scripted-smtp.ts';
import { addresses } from './stored-submissions.ts';
import { farFromNow } from './time-of-day.ts';
import { testSecret } from './tokens.ts';

/** Listens on loopback until the test is over. */
export async function listen(handle: RequestListener): Promise<string> {
  const { url, stop } = await startLocal(handle);
  onTestFinished(stop);
  return url;
}

export const quick = { pollMs: 10, storedMs: 500, mailMs: 20_000 };
/** For canaries whose mail is postponed. */
export const impatient = { ...quick, mailMs: 2_000 };
export const minutes = 60_000;

interface Changes extends Partial<CanaryParts> {
  app?: Partial<AppParts>;
  canaryTo?: string;
  store?: SqliteStore;
}

/** A listening site with its delivery worker and a mail server, and the clock of the canary. */
export async function prepareCanary({ app: changes = {}, canaryTo, ...parts }: Changes = {}) {
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const marks = createCanaryMarks(testSecret, () => new Date());
  const site = await prepareApp({ canaryMarks: marks, ...changes });
  const { store } = site;
  const url = await site.app.listen({ port: 0, host: '127.0.0.1' });
  const smtp = await startScriptedSmtp();
  const worker = createDeliveryWorker({
    queue: store,
    send: createSendSubmission({
      transport: smtpTo(smtp.port),
      site: () => shippedContent.site,
      addresses,
      canaryTo,
      now,
    }),
    now,
    log: collectLog().log,
    options: { everyMs: 0, pollMs: 20 },
  });
  worker.start();
  onTestFinished(async () => {
    await worker.stop();
    await smtp.close();
  });
  const told: string[] = [];
  let beats = 0;
  const { log, lines } = collectLog();
  const canary = createCanary({
    store,
    at: farFromNow,
    url: () => url,
    marks,
    sendHeartbeat: async () => void beats++,
    alertStaff: async (alarm, problem) => void told.push(`${alarm}: ${problem}`),
    now,
    log,
    options: { ...quick, ...parts.options },
    ...parts,
  });
  const runDue = serverWith({ store: parts.store ?? store, jobs: canary.recurring, now, log });
  return {
    ...site,
    smtp,
    canary,
    runDue,
    told,
    lines,
    beats: () => beats,
    pass: (ms: number) => {
      ahead += ms;
    },
  };
}

/** Counts the rows of the table itself, because all other counts leave the canary out. */
export const countRows = async (store: SqliteStore) => store.countAll();

/** Two rounds, the second one when it is due. Returns the alert to staff and the problem in /health/deliveries. */
export async function failTwice(
  { canary, runDue, told, pass }: Awaited<ReturnType<typeof prepareCanary>>,
  alarm = 'canary',
): Promise<string> {
  await runDue();
  expect(told).toEqual([]);
  expect(await canary.findProblem()).toBeNull();
  pass(5 * minutes);
  await runDue();
  const problem = (await canary.findProblem()) ?? 'nothing';
  expect(told).toEqual([`${alarm}: ${problem}`]);
  return problem.replace('the website’s daily test did not get through: ', '');
}
