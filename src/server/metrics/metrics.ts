import type { Logger } from 'pino';
import { formNames } from '../../model/form-field.ts';
import { measureSpace } from '../files/free-space.ts';
import { describeInDetail, type HealthDetails, healthChecks } from '../http/health.ts';
import type { Store } from '../store/contract/store.ts';
import { type MachinePage, type MetricsServer, serveMetrics } from './metrics-server.ts';
import type { MetricsSink } from './metrics-sink.ts';
import { classOf, kindOf } from './response-kinds.ts';
import { createSeries, deliveryStates, refusalCauses, type Series } from './series.ts';

/** Queried at each scrape. */
export interface MetricSources {
  /** 127.0.0.1 by default. */
  host?: string;
  port: number;
  health: HealthDetails;
  store: Pick<Store, 'summariseUndelivered' | 'summariseOpen' | 'summariseUnseen'>;
  dataDir: string;
  /** Null where there is no canary. */
  canary?: () => Promise<{ succeededAt: Date | null; failedAt: Date | null } | null>;
  /** When a probe last found that the mail server accepts mail. */
  mailAcceptedAt?: () => Date | null;
  now: () => Date;
  log: Logger;
}

interface Metrics extends MetricsSink {
  /** Null where the port is in use, for example. The site runs on, and Prometheus sees that nothing answers. */
  serve(sources: MetricSources): Promise<MetricsServer | null>;
}

export function createMetrics(): Metrics {
  const series = createSeries();
  return {
    onResponse: (method, route, status) =>
      series.responses.inc({ kind: kindOf(method, route), status: classOf(status) }),

    // Neither of these two counts the canary: the figures are about people.
    onStored({ form, canary, seconds }) {
      if (canary) return;
      series.stored.inc({ form });
      series.storing.observe(seconds);
    },

    onDelivered({ form, canary, receivedAt }, at) {
      if (canary) return;
      series.delivered.inc({ form });
      series.delivery.observe(Math.max(0, at.getTime() - receivedAt.getTime()) / 1_000);
    },

    onRefused: (form, code) => series.refused.inc({ form, cause: refusalCauses[code] }),

    onTokenRefused: (reason) => series.tokensRefused.inc({ reason }),

    async serve(sources) {
      const { host, port, log } = sources;
      const { contentType } = series.register;
      async function gather(): Promise<string> {
        await Promise.all([
          gatherDeliveries(series, sources),
          gatherOpen(series, sources),
          gatherHealth(series, sources),
          gatherSpace(series, sources),
          gatherSelfChecks(series, sources),
        ]);
        return series.register.metrics();
      }
      const pages: Record<string, () => Promise<MachinePage>> = {
        '/metrics': async () => ({ code: 200, type: contentType, body: await gather() }),
      };
      for (const check of healthChecks)
        pages[`/health/${check}`] = async () => {
          const { code, body } = describeInDetail(check, await sources.health[check]());
          return { code, type: 'application/json; charset=utf-8', body: `${JSON.stringify(body)}\n` };
        };
      try {
        const server = await serveMetrics({ ...(host ? { host } : {}), port, pages, log });
        log.info({ event: 'metrics served', port: server.port });
        return server;
      } catch (err) {
        log.error({ event: 'metrics not served', port, err });
        return null;
      }
    },
  };
}

/** A database that cannot be reached removes the gauges: old values would pass for current ones. */
async function gatherDeliveries(
  { deliveries, oldest }: Series,
  { store, now }: MetricSources,
): Promise<void> {
  const summary = await store.summariseUndelivered().catch(() => null);
  for (const gauge of [deliveries, oldest]) gauge.reset();
  if (!summary) return;
  for (const form of formNames) {
    const one = summary.find((undelivered) => undelivered.form === form);
    const { waiting = 0, held = 0, parked = 0, oldestReceivedAt = null } = one ?? {};
    const counts = { waiting: waiting - held, held, parked };
    for (const state of deliveryStates) deliveries.set({ form, state }, counts[state]);
    oldest.set({ form }, ageSeconds(oldestReceivedAt, now()));
  }
}

/** A time in the future was stored while the clock was wrong, so the true age is not known. */
const ageSeconds = (receivedAt: Date | null, now: Date) =>
  receivedAt ? Math.abs(now.getTime() - receivedAt.getTime()) / 1_000 : 0;

async function gatherOpen(
  { open, oldestOpen, urgentUntaken, unseen }: Series,
  { store, now }: MetricSources,
): Promise<void> {
  const until = Object.fromEntries(formNames.map((form) => [form, now()]));
  const [summary, unseenOnes] = await Promise.all([
    store.summariseOpen().catch(() => null),
    store.summariseUnseen(until, now()).catch(() => null),
  ]);
  for (const gauge of [open, oldestOpen, urgentUntaken, unseen]) gauge.reset();
  for (const form of formNames) {
    if (unseenOnes) unseen.set({ form }, unseenOnes.find((of) => of.form === form)?.open ?? 0);
    if (!summary) continue;
    const one = summary.find((of) => of.form === form);
    open.set({ form }, one?.open ?? 0);
    oldestOpen.set({ form }, ageSeconds(one?.oldestReceivedAt ?? null, now()));
    urgentUntaken.set({ form }, one?.urgentUntaken ?? 0);
  }
}

async function gatherHealth({ health }: Series, sources: MetricSources): Promise<void> {
  for (const check of healthChecks) {
    const { problems, warnings } = await sources.health[check]();
    health.set({ check, grade: 'problem' }, problems.length);
    health.set({ check, grade: 'warning' }, warnings.length);
  }
}

async function gatherSpace({ diskFree, diskSize }: Series, { dataDir }: MetricSources): Promise<void> {
  const space = await measureSpace(dataDir);
  if (!space) return;
  diskFree.set(space.free);
  diskSize.set(space.size);
}

async function gatherSelfChecks(
  { canaryOn, canarySucceeded, canaryFailed, mailProbeSucceeded }: Series,
  { canary = async () => null, mailAcceptedAt = () => null }: MetricSources,
): Promise<void> {
  const times = await canary().catch(() => null);
  const seconds = (date: Date | null | undefined) => (date ? date.getTime() / 1_000 : 0);
  canaryOn.set(times ? 1 : 0);
  canarySucceeded.set(seconds(times?.succeededAt));
  canaryFailed.set(seconds(times?.failedAt));
  mailProbeSucceeded.set(seconds(mailAcceptedAt()));
}
