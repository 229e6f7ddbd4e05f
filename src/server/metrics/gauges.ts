import { monitorEventLoopDelay } from 'node:perf_hooks';
import manifest from '../../../package.json' with { type: 'json' };
import { type FormName, formNames } from '../../model/form-field.ts';
import { measureSpace } from '../files/free-space.ts';
import { type HealthDetails, healthChecks } from '../http/health.ts';
import type { Store } from '../store/contract/store.ts';
import { formatMetric, type Sample } from './text-format.ts';

export interface MetricSources {
  health: HealthDetails;
  store: Pick<Store, 'summariseUndelivered' | 'summariseOpen' | 'summariseUnseen'>;
  dataDir: string;
  /** Null where there is no canary. */
  canary: () => Promise<{ succeededAt: Date | null } | null>;
  /** When a probe last found that the mail server accepts mail. */
  mailAcceptedAt: () => Date | null;
  now: () => Date;
}

type Gauges = Record<string, [help: string, value: number | readonly Sample[]]>;

/** What is true at this moment. What the database cannot tell is absent: an old value would pass for a current one. */
export async function gatherGauges(sources: MetricSources): Promise<string> {
  const { health, store, dataDir, canary, mailAcceptedAt, now } = sources;
  const until = Object.fromEntries(formNames.map((form) => [form, now()]));
  const unlessAway = <T>(asked: Promise<T>) => asked.catch(() => null);
  const [undelivered, open, unseen, canaryTimes, space, findings] = await Promise.all([
    unlessAway(store.summariseUndelivered()),
    unlessAway(store.summariseOpen()),
    unlessAway(store.summariseUnseen(until, now())),
    unlessAway(canary()),
    measureSpace(dataDir),
    Promise.all(healthChecks.map(async (check) => ({ check, ...(await health[check]()) }))),
  ]);
  // A time in the future was stored while the clock was wrong, so the true age is not known.
  const age = (at: Date | null = null) => (at ? Math.abs(now().getTime() - at.getTime()) / 1_000 : 0);
  const time = (at: Date | null = null) => (at ? at.getTime() / 1_000 : 0);
  const deliveries = [
    ...byForm(undelivered, (one) => (one ? one.waiting - one.held : 0), { state: 'waiting' }),
    ...byForm(undelivered, (one) => one?.held ?? 0, { state: 'held' }),
    ...byForm(undelivered, (one) => one?.parked ?? 0, { state: 'parked' }),
  ];
  const oldestWaiting = byForm(undelivered, (one) => age(one?.oldestReceivedAt));
  const oldestOpen = byForm(open, (one) => age(one?.oldestReceivedAt));
  const urgent = byForm(open, (one) => one?.urgentUntaken ?? 0);
  const healthFindings = findings.flatMap(({ check, problems, warnings }): Sample[] => [
    [{ check, grade: 'problem' }, problems.length],
    [{ check, grade: 'warning' }, warnings.length],
  ]);
  const gauges: Gauges = {
    awhina_deliveries: ['Unseen submissions whose mail no mail server has accepted.', deliveries],
    awhina_delivery_oldest_seconds: ['Age of the oldest that waits; 0: none waits.', oldestWaiting],
    awhina_submissions_open: ['Nobody has answered them.', byForm(open, (one) => one?.open ?? 0)],
    awhina_submissions_open_oldest_seconds: ['Age of the oldest of them; 0: none is open.', oldestOpen],
    awhina_submissions_urgent_untaken: ['Urgent ones of them that nobody has taken.', urgent],
    awhina_submissions_unseen: ['Nobody has seen them.', byForm(unseen, (one) => one?.open ?? 0)],
    awhina_health: ['How many problems and warnings the two health checks name.', healthFindings],
    awhina_disk_free_bytes: ['Free space on the disk of the data folder.', space?.free ?? []],
    awhina_disk_size_bytes: ['Size of the disk of the data folder.', space?.size ?? []],
    awhina_canary_enabled: ['1: the server sends itself a request each day.', canaryTimes ? 1 : 0],
    awhina_canary_last_success_timestamp_seconds: ['0: not known.', time(canaryTimes?.succeededAt)],
    awhina_mail_probe_last_success_timestamp_seconds: ['0: not known.', time(mailAcceptedAt())],
    ...gatherProcess(),
  };
  return Object.entries(gauges)
    .map(([name, [help, value]]) => formatMetric(name, help, value))
    .join('');
}

/** One sample a form, also of a form of which the database has none. */
const byForm = <T extends { form: FormName }>(
  rows: readonly T[] | null,
  read: (row: T | undefined) => number,
  labels: Record<string, string> = {},
): Sample[] =>
  rows === null
    ? []
    : formNames.map((form) => [{ form, ...labels }, read(rows.find((row) => row.form === form))]);

const eventLoop = monitorEventLoopDelay();

/** Under the names that other Node servers use. */
function gatherProcess(): Gauges {
  // Only from the first scrape on: it wakes the process a hundred times a second.
  eventLoop.enable();
  const longest = eventLoop.max / 1e9;
  eventLoop.reset();
  const { user, system } = process.cpuUsage();
  const { version } = manifest;
  return {
    nodejs_eventloop_lag_max_seconds: ['The longest since the last scrape.', longest],
    process_resident_memory_bytes: ['Memory of this process.', process.memoryUsage.rss()],
    process_cpu_seconds_total: ['Processor time of this process.', (user + system) / 1e6],
    process_start_time_seconds: ['When it started.', Date.now() / 1_000 - process.uptime()],
    awhina_build_info: ['The version that runs.', [[{ version, node: process.versions.node }, 1]]],
  };
}
