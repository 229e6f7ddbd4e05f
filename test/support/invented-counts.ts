import type { FormName } from '../../src/model/form-field.ts';
import type { Count, CountRow } from '../../src/server/store/contract/counts.ts';

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
      const one: CountRow = {
        kind: 'received',
        period: day,
        form,
        field: '',
        value: '',
        count,
        most: 0,
        origin: day,
      };
      const chosen = Object.entries(choices).flatMap(([field, made]) =>
        Object.entries(made).map(([value, often]) => ({
          ...one,
          kind: 'choice' as const,
          field,
          value,
          count: often,
        })),
      );
      const read = Object.entries(languages).map(([value, often]) => ({
        ...one,
        kind: 'language' as const,
        value,
        count: often,
      }));
      const replied = Object.entries(answered).map(([value, often]) => ({
        ...one,
        kind: 'answered' as const,
        value,
        count: often,
      }));
      const kinds: Partial<Count>[] = [
        { kind: 'hour', period: day.slice(0, 7), value: String(hour).padStart(2, '0') },
        { kind: 'delivered', value: '60', most: 12 },
      ];
      return [one, ...kinds.map((kind) => ({ ...one, ...kind })), ...chosen, ...read, ...replied];
    },
  );
}
