import { type FormName, formNames } from '../../../model/form-field.ts';
import type { FollowUps, UntilByForm } from '../contract/follow-ups.ts';
import { selectSubmissions } from './selects.ts';
import type { Sql } from './sql.ts';
import { toStoredSubmission } from './submission-row.ts';

const isClean = `s.verdict = '{"kind":"clean"}'`;
/** A flood of junk hides nobody, and of those who send often nobody hides the others. */
const order = `ORDER BY ${isClean} DESC, v.urgent DESC, v.rank, s.received_at, s.id`;

/** What nobody has seen, by an index of what nobody has seen. */
export function createUnseen({ query, dialect }: Sql): Pick<FollowUps, 'listUnseen' | 'summariseUnseen'> {
  const untilOf = (form: FormName) =>
    `s.form = '${form}' AND s.received_at <= $${formNames.indexOf(form) + 1}`;
  const unseen = `FROM deliveries v ${dialect.joinInOrder} submissions s ON s.id = v.submission
    WHERE v.seen_at IS NULL AND s.canary <> ${dialect.yes} AND (${formNames.map(untilOf).join(' OR ')})`;
  const limit = `$${formNames.length + 1}`;
  // The first found and then read: sorted with their answers, many would not fit into memory.
  const list = `${selectSubmissions} WHERE s.id IN (SELECT s.id ${unseen} ${order} LIMIT ${limit}) ${order}`;
  const summarise = `
    SELECT s.form, count(*) AS open, count(*) FILTER (WHERE v.urgent = ${dialect.yes}) AS urgent,
           min(s.received_at) AS oldest ${unseen} GROUP BY s.form ORDER BY s.form`;
  const valuesOf = (until: UntilByForm) => formNames.map((form) => until[form] ?? new Date(0));

  return {
    listUnseen: async (until, most) =>
      (await query(list, [...valuesOf(until), most])).rows.map(toStoredSubmission),
    async summariseUnseen(until) {
      const { rows } = await query(summarise, valuesOf(until));
      return rows.map((row) => ({
        form: row.form as FormName,
        open: Number(row.open),
        urgentUntaken: Number(row.urgent),
        oldestReceivedAt: new Date(row.oldest as string),
      }));
    },
  };
}
