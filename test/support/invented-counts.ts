import type { FormName } from '../../src/model/form-field.ts';
import type { CountRow } from '../../src/server/store/contract/counts.ts';

/** A few requests of one day that nobody sent, as they are counted. */
export interface InventedDay {
  day: string;
  form?: FormName;
  count: number;
  hour?: number;
  /** How often each choice was made, by the question's key. */
  choices?: Record<string, Record<string, number>>;
  /** How many came from a page in each language. */
  languages?: Record<string, number>;
  /** How many were answered on that day, by the seconds within which. */
  answered?: Record<string, number>;
}

export function inventCounts(days: readonly InventedDay[]): CountRow[] {
  return days.flatMap(
    ({ day, form = 'help', count, hour = 10, choices = {}, languages = {}, answered = {} }) => {
      const row = (changes: Partial<CountRow>): CountRow => ({
        ...{ kind: 'received', period: day, form, field: '', value: '', count, most: 0, origin: day },
        ...changes,
      });
      const each = (kind: CountRow['kind'], often: Record<string, number>, field = '') =>
        Object.entries(often).map(([value, times]) => row({ kind, field, value, count: times }));
      return [
        row({}),
        row({ kind: 'hour', period: day.slice(0, 7), value: String(hour).padStart(2, '0') }),
        row({ kind: 'delivered', value: '60', most: 12 }),
        ...Object.entries(choices).flatMap(([field, made]) => each('choice', made, field)),
        ...each('language', languages),
        ...each('answered', answered),
      ];
    },
  );
}
