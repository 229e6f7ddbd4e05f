import type { Answers } from '../../model/answers.ts';
import { rowOf } from '../../model/field-types.ts';
import type { FormName } from '../../model/form-field.ts';
import { serverRowOf } from '../../model/server-field-types.ts';
import type { Form } from '../content/content.ts';
import { type Chosen, type Count, deliveryBounds } from '../store/contract/counts.ts';
import { nzTime } from '../time/nz-time.ts';

/** For a tick box the choice is 'true' or 'false'. */
export function findChosen(
  { definition, counted }: Pick<Form, 'definition' | 'counted'>,
  answers: Answers,
): Chosen[] {
  return definition.flatMap((field) => {
    const { key } = field;
    if (!counted.includes(key)) return [];
    const chosen = serverRowOf(field).counted?.chosen(answers[key] ?? rowOf(field).initial, field) ?? [];
    return chosen.map((choice) => ({ field: key, choice }));
  });
}

const hourMs = 3_600_000;
let cached = { hour: Number.NaN, day: '', value: '' };

/** Cached for an hour: most requests come in the same hour as the one before, and offsets of New Zealand are whole hours. */
function nzHour(at: Date): { day: string; value: string } {
  const hour = Math.floor(at.getTime() / hourMs);
  if (hour !== cached.hour) {
    const text = nzTime(at);
    cached = { hour, day: text.slice(0, 10), value: text.slice(11, 13) };
  }
  return cached;
}

/** Texts of this hour: most people who send the same form at the same time choose alike. */
const written = new Map<string, string>();
let writtenHour = Number.NaN;
const rememberAtMost = 1_000;

/**
 * The figures of a request, as text: passing a list of objects through threads and drivers would take more time than the
 * counting itself.
 */
export function writeReceived(form: FormName, receivedAt: Date, chosen: readonly Chosen[] = []): string {
  const hour = Math.floor(receivedAt.getTime() / hourMs);
  if (hour !== writtenHour || written.size >= rememberAtMost) written.clear();
  writtenHour = hour;
  const key = chosen.reduce((before, { field, choice }) => `${before}\n${field}\n${choice}`, form as string);
  const known = written.get(key) ?? writeCounts(countReceived(form, receivedAt, chosen));
  written.set(key, known);
  return known;
}

/** '' where there are no figures. */
export const writeCounts = (counts: readonly Count[]): string =>
  counts.length === 0 ? '' : JSON.stringify(addUp(counts));
export const parseCounts = (text: string): Count[] => (text === '' ? [] : JSON.parse(text));

/** The figures of a batch. Equal texts are parsed once. */
export function sumWritten(texts: readonly string[]): Count[] {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return [...times].flatMap(([text, many]) =>
    parseCounts(text).map((one) => ({ ...one, count: one.count * many })),
  );
}

export function countReceived(form: FormName, receivedAt: Date, chosen: readonly Chosen[] = []): Count[] {
  const { day, value } = nzHour(receivedAt);
  const once = { form, count: 1, most: 0 };
  return [
    { ...once, kind: 'received', period: day, field: '', value: '' },
    { ...once, kind: 'hour', period: day.slice(0, 7), field: '', value },
    ...chosen
      .filter(({ choice }) => canBeStored(choice))
      .map(({ field, choice }): Count => ({ ...once, kind: 'choice', period: day, field, value: choice })),
  ];
}

/** PostgreSQL refuses such text. A choice that cannot be stored is no reason to refuse a request. */
const canBeStored = (text: string) => text.isWellFormed() && !text.includes('\0');

export function countDelivered(form: FormName, receivedAt: Date, deliveredAt: Date): Count {
  // Negative where the clock was set back in between.
  const seconds = Math.max(0, Math.round((deliveredAt.getTime() - receivedAt.getTime()) / 1000));
  const within = deliveryBounds.find((bound) => seconds <= bound) ?? deliveryBounds[0];
  const { day } = nzHour(deliveredAt);
  return { kind: 'delivered', period: day, form, field: '', value: String(within), count: 1, most: seconds };
}

const keyOf = ({ kind, period, form, field, value }: Count) =>
  [kind, period, form, field, value].join('\u0000');

/** Each figure once, and sorted: two transactions that write the same rows in one order cannot deadlock. */
export function addUp(counts: readonly Count[]): Count[] {
  const sums = new Map<string, Count>();
  for (const one of counts) {
    const sum = sums.get(keyOf(one));
    if (sum) Object.assign(sum, { count: sum.count + one.count, most: Math.max(sum.most, one.most) });
    else sums.set(keyOf(one), { ...one });
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}
