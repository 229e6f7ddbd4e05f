import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import manifest from '../../../package.json' with { type: 'json' };
import { formNames } from '../../model/form-field.ts';
import type { ErrorCode } from '../../model/operations.ts';
import { tokenFaults } from '../bot-check/bot-check.ts';
import { responseKinds, statusClasses } from './response-kinds.ts';

/**
 * All metrics, with their names and labels. The names stay, because dashboards use them: in names `kept` and `keeping` mean
 * stored, `answers` means responses, `look` means the probe of the mail server. No label has a value from a visitor: label
 * values come from fixed lists, and every series exists from the start.
 */

export const refusalCauses: Record<ErrorCode, string> = {
  BAD_ANSWERS: 'bad_answers',
  BOT_CHECK_FAILED: 'bot_check',
  RATE_LIMITED: 'rate_limited',
  UNAVAILABLE: 'unavailable',
};
export const deliveryStates = ['waiting', 'held', 'parked'] as const;

/** The default metrics of prom-client that are exported. The others read /proc, which the service may not, and would be 0. */
const exportedDefaults =
  /^(process_(cpu_(user_|system_)?seconds_total|start_time_seconds)|nodejs_(eventloop_lag_.*|heap_size_.*|gc_duration_seconds))$/;

export type Series = ReturnType<typeof createSeries>;

export function createSeries() {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  for (const { name } of register.getMetricsAsArray())
    if (!exportedDefaults.test(name)) register.removeSingleMetric(name);
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of this process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });

  const series = {
    stored: new Counter({
      name: 'awhina_submissions_kept_total',
      help: 'Requests and messages that were kept.',
      labelNames: ['form'],
      registers,
    }),
    refused: new Counter({
      name: 'awhina_submissions_refused_total',
      help: 'Requests and messages that were not taken, by what their sender was told.',
      labelNames: ['form', 'cause'],
      registers,
    }),
    tokensRefused: new Counter({
      name: 'awhina_tokens_refused_total',
      help: 'Tokens of the bot check that were refused, by what was wrong with them.',
      labelNames: ['reason'],
      registers,
    }),
    storing: new Histogram({
      name: 'awhina_keeping_seconds',
      help: 'Until a request was synced to disk.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    deliveries: new Gauge({
      name: 'awhina_deliveries',
      help: 'Requests and messages whose mail no mail server has accepted, and that nobody has seen.',
      labelNames: ['form', 'state'],
      registers,
    }),
    oldest: new Gauge({
      name: 'awhina_delivery_oldest_seconds',
      help: 'How long the oldest of those that wait has waited; 0 where none does.',
      labelNames: ['form'],
      registers,
    }),
    open: new Gauge({
      name: 'awhina_open',
      help: 'Requests and messages that nobody has answered.',
      labelNames: ['form'],
      registers,
    }),
    oldestOpen: new Gauge({
      name: 'awhina_open_oldest_seconds',
      help: 'How long ago the oldest of those came in; 0 where there is none.',
      labelNames: ['form'],
      registers,
    }),
    urgentUntaken: new Gauge({
      name: 'awhina_open_urgent_untaken',
      help: 'Urgent ones among them that nobody has taken.',
      labelNames: ['form'],
      registers,
    }),
    unseen: new Gauge({
      name: 'awhina_unseen',
      help: 'Requests and messages that nobody has seen, without those that a program sent.',
      labelNames: ['form'],
      registers,
    }),
    delivered: new Counter({
      name: 'awhina_deliveries_delivered_total',
      help: 'Requests and messages whose mail a mail server accepted from this server.',
      labelNames: ['form'],
      registers,
    }),
    delivery: new Histogram({
      name: 'awhina_delivery_seconds',
      help: 'From when a request was kept until its mail was accepted.',
      buckets: [1, 2, 5, 10, 30, 60, 120, 600, 3_600, 21_600, 86_400],
      registers,
    }),
    responses: new Counter({
      name: 'awhina_answers_total',
      help: 'Answers to browsers, by what they asked for and the first digit of the status.',
      labelNames: ['kind', 'status'],
      registers,
    }),
    health: new Gauge({
      name: 'awhina_health',
      help: 'How many problems and warnings /health/ready and /health/deliveries name.',
      labelNames: ['check', 'grade'],
      registers,
    }),
    diskFree: new Gauge({
      name: 'awhina_disk_free_bytes',
      help: 'Room on the disk of the data folder.',
      registers,
    }),
    diskSize: new Gauge({
      name: 'awhina_disk_size_bytes',
      help: 'Size of the disk of the data folder.',
      registers,
    }),
    canaryOn: new Gauge({
      name: 'awhina_canary_on',
      help: '1 where the server sends itself a request each day.',
      registers,
    }),
    canarySucceeded: new Gauge({
      name: 'awhina_canary_last_success_timestamp_seconds',
      help: 'When the request that the server sends itself last got through; 0: not known.',
      registers,
    }),
    canaryFailed: new Gauge({
      name: 'awhina_canary_last_failure_timestamp_seconds',
      help: 'When it last did not; 0: not known.',
      registers,
    }),
    mailProbeSucceeded: new Gauge({
      name: 'awhina_mail_look_last_success_timestamp_seconds',
      help: 'When the mail server last was found to take mail; 0: not known.',
      registers,
    }),
  };
  new Gauge({
    name: 'awhina_build_info',
    help: 'Which version runs, on which Node.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: manifest.version, node: process.versions.node }, 1);

  for (const form of formNames) {
    series.stored.inc({ form }, 0);
    series.delivered.inc({ form }, 0);
    for (const cause of Object.values(refusalCauses)) series.refused.inc({ form, cause }, 0);
  }
  for (const reason of tokenFaults) series.tokensRefused.inc({ reason }, 0);
  for (const kind of responseKinds)
    for (const status of statusClasses) series.responses.inc({ kind, status }, 0);
  return { register, ...series };
}
