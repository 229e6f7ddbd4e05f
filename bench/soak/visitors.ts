/**
 * Visitors of all kinds at once, in a process of their own: `soak-visitors.ts URL`. Asked for a `report` they tell how
 * many of each kind came, and what they did not expect; told to `leave` they also tell which requests were acknowledged.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openLean } from '../lean-client.ts';
import { createTroublemakers } from './troublemakers.ts';
import { createVisits, type Visits } from './visits.ts';

export interface VisitReport {
  /** How often each kind was done to its end. */
  counts: Record<string, number>;
  /** What came instead of what should have, and how often. */
  unexpected: Record<string, number>;
  /** The references of all that was acknowledged; only when they leave. */
  acknowledged: string[];
}

/** A person does not keep a connection for ever, and neither do these. */
const visitsAConnection = 20;

const [url = ''] = process.argv.slice(2);
const report: VisitReport = { counts: {}, unexpected: {}, acknowledged: [] };
const leaving = new AbortController();

const note = (kind: string, error: unknown) => {
  if (leaving.signal.aborted) return;
  const what = `${kind}: ${error instanceof Error ? error.message : error}`;
  report.unexpected[what] = (report.unexpected[what] ?? 0) + 1;
};
const count = (kind: string) => {
  report.counts[kind] = (report.counts[kind] ?? 0) + 1;
};

async function comeAgainAndAgain(kind: string, { pauseMs, visit }: Visits): Promise<void> {
  while (!leaving.signal.aborted) {
    const connection = openLean(url);
    const leave = () => connection.close();
    leaving.signal.addEventListener('abort', leave);
    try {
      for (let visits = 0; visits < visitsAConnection && !leaving.signal.aborted; visits++) {
        await visit(connection);
        count(kind);
        await pause(pauseMs);
      }
    } catch (error) {
      note(kind, error);
      await pause(pauseMs);
    }
    leaving.signal.removeEventListener('abort', leave);
    connection.close();
  }
}

async function troubleAgainAndAgain(kind: string, make: () => Promise<void>): Promise<void> {
  while (!leaving.signal.aborted) {
    await make().then(
      () => count(kind),
      (error) => note(kind, error),
    );
    await pause(100);
  }
}

const keep = (reference: string) => void report.acknowledged.push(reference);
const visits = await createVisits(url, keep);
const troublemakers = createTroublemakers(url, keep, leaving.signal);
const all: Promise<void>[] = [];
for (const [kind, of] of Object.entries(visits))
  for (let n = 0; n < of.atOnce; n++) all.push(comeAgainAndAgain(kind, of));
for (const [kind, { atOnce, make }] of Object.entries(troublemakers))
  for (let n = 0; n < atOnce; n++) all.push(troubleAgainAndAgain(kind, make));

process.on('message', async (question) => {
  if (question === 'leave') {
    leaving.abort();
    await Promise.all(all);
    process.send?.(report);
  } else process.send?.({ ...report, acknowledged: [] });
});
