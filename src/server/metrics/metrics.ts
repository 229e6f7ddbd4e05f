import { formNames } from '../../model/form-field.ts';
import type { ErrorCode } from '../../model/operations.ts';
import { tokenFaults } from '../bot-check/bot-check.ts';
import { gatherGauges, type MetricSources } from './gauges.ts';
import type { MetricsSink } from './metrics-sink.ts';
import { classOf, kindOf, responseKinds, statusClasses } from './response-kinds.ts';
import { createCounter, createHistogram } from './text-format.ts';

/** What Prometheus reads. No label has a value from a visitor: label values come from fixed lists. */

const refusalCauses: Record<ErrorCode, string> = {
  BAD_ANSWERS: 'bad_answers',
  BOT_CHECK_FAILED: 'bot_check',
  RATE_LIMITED: 'rate_limited',
  UNAVAILABLE: 'unavailable',
};

interface Metrics extends MetricsSink {
  /** The page for Prometheus. */
  gather(sources: MetricSources): Promise<string>;
}

export function createMetrics(): Metrics {
  const forms = formNames.map((form) => ({ form }));
  const refusals = forms.flatMap((of) => Object.values(refusalCauses).map((cause) => ({ ...of, cause })));
  const faults = tokenFaults.map((reason) => ({ reason }));
  const kinds = responseKinds.flatMap((kind) => statusClasses.map((status) => ({ kind, status })));
  const storeBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
  const deliveryBounds = [1, 2, 5, 10, 30, 60, 120, 600, 3_600, 21_600, 86_400];

  const stored = createCounter('awhina_submissions_stored_total', 'Submissions that were stored.', forms);
  const refused = createCounter('awhina_submissions_refused_total', 'By what the sender was told.', refusals);
  const tokensRefused = createCounter('awhina_tokens_refused_total', 'By what was wrong with them.', faults);
  const accepted = createCounter('awhina_deliveries_accepted_total', 'A mail server accepted them.', forms);
  const responses = createCounter('awhina_http_responses_total', 'By what was asked for.', kinds);
  const storing = createHistogram('awhina_store_seconds', 'To sync a submission to disk.', storeBounds);
  const delivering = createHistogram(
    'awhina_delivery_seconds',
    'From when a submission was stored until its mail was accepted.',
    deliveryBounds,
  );
  const counted = [stored, refused, tokensRefused, accepted, responses, storing, delivering];

  return {
    onResponse: (method, route, status) =>
      responses.add({ kind: kindOf(method, route), status: classOf(status) }),

    // Neither of these two counts the canary: the figures are about people.
    onStored({ form, canary, seconds }) {
      if (canary) return;
      stored.add({ form });
      storing.observe(seconds);
    },

    onDelivered({ form, canary, receivedAt }, at) {
      if (canary) return;
      accepted.add({ form });
      delivering.observe(Math.max(0, at.getTime() - receivedAt.getTime()) / 1_000);
    },

    onRefused: (form, code) => refused.add({ form, cause: refusalCauses[code] }),

    onTokenRefused: (reason) => tokensRefused.add({ reason }),

    gather: async (sources) => counted.map(({ format }) => format()).join('') + (await gatherGauges(sources)),
  };
}
