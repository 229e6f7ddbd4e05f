/**
 * `npm run sample-year -- DATA_DIR`: fills an empty data folder with a year of invented requests, for trying out the report
 * and the commands. Requests older than the retention time are only counted, as if they had been erased since.
 */

import { mkdir, readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readContent } from '../src/server/content/content.ts';
import type { Count } from '../src/server/store/contract/counts.ts';
import { claimMail } from '../src/server/store/contract/mail-jobs.ts';
import type { Store } from '../src/server/store/contract/store.ts';
import { countDelivered, countReceived, mergeEqualCounts } from '../src/server/store/rows/counting.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { dayAfter, nzTime, startOfNzDay } from '../src/server/time/nz-time.ts';
import { makeSampleRequests, requestsPerYear, type SampleRequest } from './sample-requests.ts';

/** The default of RETENTION_DAYS. */
const retentionDays = 30;
/** Requests that are written together share a transaction. */
const batchSize = 1_000;

function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '1' },
      years: { type: 'string', default: '1' },
      requests: { type: 'string' },
      until: { type: 'string', default: nzTime(new Date()).slice(0, 10) },
    },
  });
  const [dataDir, ...more] = positionals;
  if (dataDir === undefined || more.length > 0)
    refuse(
      'npm run sample-year -- DATA_DIR [--seed N] [--years N] [--requests N] [--until 2026-11-15]\nDATA_DIR is a folder that is empty or not there.',
    );
  const number = (name: string, text: string) =>
    /^\d+$/.test(text) ? Number(text) : refuse(`--${name} is a whole number.`);
  const end = startOfNzDay(values.until) ?? refuse('--until is a day, such as 2026-11-15.');
  const years = number('years', values.years);
  const from = dayAfter(`${Number(values.until.slice(0, 4)) - years}${values.until.slice(4)}`);
  return {
    dataDir,
    retainedSince: new Date(end.getTime() - retentionDays * 86_400_000),
    sample: {
      seed: number('seed', values.seed),
      from,
      until: values.until,
      requests: number('requests', values.requests ?? String(years * requestsPerYear)),
    },
  };
}

async function storeDelivered(store: Store, requests: readonly SampleRequest[]): Promise<void> {
  for (let index = 0; index < requests.length; index += batchSize)
    await Promise.all(
      requests.slice(index, index + batchSize).map(({ submission }) => store.add(submission)),
    );
  const last = requests.at(-1)?.deliveredAt ?? new Date(0);
  const deliveredAt = new Map(requests.map((one) => [one.submission.reference, one.deliveredAt]));
  for (;;) {
    const claims = await claimMail(store, last, batchSize, 60_000, 'new');
    if (claims.length === 0) return;
    for (const claim of claims)
      await store.finishDelivery(claim, deliveredAt.get(claim.submission.reference) ?? last);
  }
}

/** One fixed origin, because these counts never change. */
async function storeCounts(store: Store, requests: readonly SampleRequest[]): Promise<void> {
  const counts = requests.flatMap(({ submission, deliveredAt }): Count[] => {
    const { form, receivedAt, chosen = [] } = submission;
    return [
      ...countReceived(form.name, receivedAt, chosen),
      countDelivered(form.name, receivedAt, deliveredAt),
    ];
  });
  await store.mergeCounts(mergeEqualCounts(counts).map((one) => ({ ...one, origin: 'sample' })));
}

const { dataDir, retainedSince, sample } = readOptions();
await mkdir(dataDir, { recursive: true, mode: 0o700 });
if ((await readdir(dataDir)).length > 0)
  refuse(`${dataDir} is not empty. Nothing was changed: invented requests go into an empty folder only.`);
const { forms } = await readContent('content');
const requests = makeSampleRequests({ forms, ...sample });
const store = await openSqliteStore(dataDir);
try {
  await storeCounts(
    store,
    requests.filter(({ submission }) => submission.receivedAt < retainedSince),
  );
  await storeDelivered(
    store,
    requests.filter(({ submission }) => submission.receivedAt >= retainedSince),
  );
} finally {
  await store.close();
}
console.log(`${requests.length} invented requests from ${sample.from} to ${sample.until} are in ${dataDir}.`);
