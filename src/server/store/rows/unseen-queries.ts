import { type FormName, formNames } from '../../../model/form-field.ts';
import type { FollowUps } from '../contract/follow-ups.ts';
import { latestPlausible } from '../contract/jobs.ts';
import { cameInBy, trapped } from './conditions.ts';
import type { Sql } from './sql.ts';
import { toTime } from './submission-row.ts';

/** What nobody has seen, by an index of what nobody has seen. */
export function createUnseen({ query, dialect }: Sql): Pick<FollowUps, 'summariseUnseen'> {
  const untilOf = (form: FormName) =>
    `s.form = '${form}' AND ${cameInBy(`$${formNames.indexOf(form) + 3}`, '$1')}`;
  const summarise = `
    SELECT s.form, count(*) AS open, count(*) FILTER (WHERE s.urgent = ${dialect.yes}) AS urgent,
           min(s.received_at) AS oldest
    FROM submissions s
    WHERE s.seen_at IS NULL AND s.withdrawn_at IS NULL AND s.canary <> ${dialect.yes} AND NOT ${trapped}
      AND ${dialect.isOneOf('s.form', '$2')} AND (${formNames.map(untilOf).join(' OR ')})
    GROUP BY s.form ORDER BY s.form`;

  return {
    async summariseUnseen(until, now) {
      const forms = formNames.filter((form) => until[form]);
      const values = [latestPlausible(now), forms, ...formNames.map((form) => until[form] ?? now)];
      const { rows } = await query(summarise, values);
      return rows.map((row) => ({
        form: row.form as FormName,
        open: Number(row.open),
        urgentUntaken: Number(row.urgent),
        oldestReceivedAt: toTime(row.oldest),
      }));
    },
  };
}
