/**
 * `npm run sample-year -- DATA_DIR`: fills an empty data folder with a year of invented requests, to look at what there is to
 * look at with a year behind it. What is older than requests are kept for is only counted, as if it had been erased since.
 */
import { mkdir, readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readContent } from '../src/server/content/content.ts';
import { addUp, countDelivered, countReceived } from '../src/server/figures/counting.ts';
import type { Count } from '../src/server/store/contract/counts.ts';
import type { Store } from '../src/server/store/contract/store.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { dayAfter, nzTime, startOfNzDay } from '../src/server/time/nz-time.ts';
import { aYear, makeSampleRequests, type SampleRequest } from './sample-requests.ts';

/** What RETENTION_DAYS is where nothing else is set. */
const keptDays = 30;
/** At a time: they share a sync. */
const batch = 1_000;

function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}

function readWish() {
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
    keptSince: new Date(end.getTime() - keptDays * 86_400_000),
    wish: {
      seed: number('seed', values.seed),
      from,
      until: values.until,
      requests: number('requests', values.requests ?? String(years * aYear)),
    },
  };
}

/** As they would have come in, and been delivered. */
async function keep(store: Store, requests: readonly SampleRequest[]): Promise<void> {
  for (let index = 0; index < requests.length; index += batch)
    await Promise.all(requests.slice(index, index + batch).map(({ submission }) => store.add(submission)));
  const last = requests.at(-1)?.deliveredAt ?? new Date(0);
  const deliveredAt = new Map(requests.map((one) => [one.submission.reference, one.deliveredAt]));
  for (;;) {
    const claims = await store.claimDueDeliveries(last, batch, 60_000, 'never');
    if (claims.length === 0) return;
    for (const claim of claims)
      await store.finishDelivery(claim, deliveredAt.get(claim.submission.reference) ?? last);
  }
}

/** Counted, and erased since. The same every time, and so under one name. */
async function count(store: Store, requests: readonly SampleRequest[]): Promise<void> {
  const counts = requests.flatMap(({ submission, deliveredAt }): Count[] => {
    const { form, receivedAt, chosen = [] } = submission;
    return [
      ...countReceived(form.name, receivedAt, chosen),
      countDelivered(form.name, receivedAt, deliveredAt),
    ];
  });
  await store.mergeCounts(addUp(counts).map((one) => ({ ...one, origin: 'sample' })));
}

const { dataDir, keptSince, wish } = readWish();
await mkdir(dataDir, { recursive: true, mode: 0o700 });
if ((await readdir(dataDir)).length > 0)
  refuse(`${dataDir} is not empty. Nothing was changed: invented requests go into an empty folder only.`);
const { forms } = await readContent('content');
const requests = makeSampleRequests({ forms, ...wish });
const store = await openSqliteStore(dataDir);
try {
  await count(
    store,
    requests.filter(({ submission }) => submission.receivedAt < keptSince),
  );
  await keep(
    store,
    requests.filter(({ submission }) => submission.receivedAt >= keptSince),
  );
} finally {
  await store.close();
}
console.log(`${requests.length} invented requests from ${wish.from} to ${wish.until} are in ${dataDir}.`);
