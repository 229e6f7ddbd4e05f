import type { FormName } from '../../../model/form-field.ts';
import { nzDay, nzTime } from '../../time/nz-time.ts';
import type { Loss } from '../contract/archive.ts';
import { answerBounds, type Count, type CountedChoice, deliveryBounds } from '../contract/counts.ts';

/** What is counted of a submission, in the form in which both databases take it. */

const hourMs = 3_600_000;
/** The texts of one hour, by form and choices: most people who send the same form choose alike. */
const cachedTexts = new Map<string, string>();
/** New Zealand's offsets are whole hours, so that one hour here is one hour there. */
let cachedHour = Number.NaN;
const maxCached = 1_000;

/**
 * The counts of a request, as text: passing a list of objects through threads and drivers would take more time than the
 * counting itself.
 */
export function serializeReceived(
  form: FormName,
  receivedAt: Date,
  chosen: readonly CountedChoice[] = [],
  language: string | null = null,
): string {
  const hour = Math.floor(receivedAt.getTime() / hourMs);
  if (hour !== cachedHour || cachedTexts.size >= maxCached) cachedTexts.clear();
  cachedHour = hour;
  const key = chosen.reduce(
    (before, { field, choice }) => `${before}\n${field}\n${choice}`,
    `${form} ${language}`,
  );
  const text = cachedTexts.get(key) ?? serializeCounts(countReceived(form, receivedAt, chosen, language));
  cachedTexts.set(key, text);
  return text;
}

/** Stands for what was counted elsewhere, so that it is not counted again. */
export const notCounted = (kind: Count['kind'], form: FormName): Count => {
  return { kind, period: '', form, field: '', value: '', count: 0, most: 0 };
};

/** What was counted of a request after it came in; that it came in is counted of another row. */
export function countedAfterwards(form: FormName, counts: string): string {
  if (counts === '') return '';
  return JSON.stringify([notCounted('received', form), ...readLater(counts)]);
}

export const readLater = (counts: string): Count[] =>
  readCountList(counts).filter(({ kind }) => kind === 'delivered' || kind === 'answered');

/** As it is stored in another database: without what is damaged, and with a delivery that was not counted yet. */
export function mendCounts(row: {
  form: FormName;
  counts: string;
  receivedAt: string;
  deliveredAt: string | null;
}): string {
  const { form, counts, receivedAt, deliveredAt } = row;
  if (counts === '') return '';
  const list = readCountList(counts);
  const isMissing = deliveredAt !== null && !list.some(({ kind }) => kind === 'delivered');
  const delivered = isMissing ? [countDelivered(form, new Date(receivedAt), new Date(deliveredAt))] : [];
  return JSON.stringify(
    list.length > 0 ? [...list, ...delivered] : [notCounted('received', form), ...delivered],
  );
}

/** Both databases hold this in a whole number, also once it is raised, and so does JavaScript. */
export const mostCounted = 2 ** 30;

/** Of any kind: `reopenUnread` writes 'reopened', which no figure reads. */
export function isCount(value: unknown): value is Count {
  const { kind, period, form, field, value: counted, count, most } = Object(value);
  const texts = [kind, period, form, field, counted];
  const isNumber = (one: unknown) => Number.isInteger(one) && Number(one) >= 0 && Number(one) <= mostCounted;
  return (
    texts.every((one) => typeof one === 'string' && canBeStored(one)) && isNumber(count) && isNumber(most)
  );
}

/** What is counted of a request. Damaged counts are left out, and stop neither a transfer nor an erasure. */
export function readCountList(text: string): Count[] {
  try {
    const list: unknown = JSON.parse(text || '[]');
    return Array.isArray(list) ? list.filter(isCount) : [];
  } catch {
    return [];
  }
}

/** '' where nothing is counted. */
export const serializeCounts = (counts: readonly Count[]): string =>
  counts.length === 0 ? '' : JSON.stringify(mergeEqualCounts(counts));

export function countReceived(
  form: FormName,
  receivedAt: Date,
  chosen: readonly CountedChoice[] = [],
  language: string | null = null,
): Count[] {
  const time = nzTime(receivedAt);
  const day = time.slice(0, 10);
  const once = { form, count: 1, most: 0 };
  return [
    { ...once, kind: 'received', period: day, field: '', value: '' },
    { ...once, kind: 'hour', period: day.slice(0, 7), field: '', value: time.slice(11, 13) },
    ...chosen
      .filter(({ choice }) => canBeStored(choice))
      .map(({ field, choice }): Count => ({ ...once, kind: 'choice', period: day, field, value: choice })),
    ...(language ? [{ ...once, kind: 'language', period: day, field: '', value: language } as const] : []),
  ];
}

/** PostgreSQL refuses NUL and half a surrogate pair. A choice that cannot be stored is no reason to refuse a request. */
const canBeStored = (text: string) => text.isWellFormed() && !text.includes('\0');

export function countDelivered(form: FormName, receivedAt: Date, deliveredAt: Date): Count {
  // Negative where the clock was set back in between.
  const seconds = Math.max(0, Math.round((deliveredAt.getTime() - receivedAt.getTime()) / 1000));
  const within = deliveryBounds.find((bound) => seconds <= bound) ?? deliveryBounds[0];
  const period = nzDay(deliveredAt);
  return { kind: 'delivered', period, form, field: '', value: String(within), count: 1, most: seconds };
}

/** Without the slowest, unlike deliveries: how long one person waited is theirs. */
export function countAnswered(form: FormName, receivedAt: Date, answeredAt: Date): Count {
  const seconds = (answeredAt.getTime() - receivedAt.getTime()) / 1000;
  const within = answerBounds.find((bound) => seconds <= bound) ?? answerBounds[0];
  const period = nzDay(answeredAt);
  return { kind: 'answered', period, form, field: '', value: String(within), count: 1, most: 0 };
}

/** Of one form and each, on the day on which they were erased. */
export const countUnseen = (form: FormName, erasedAt: Date): Count => {
  const period = nzDay(erasedAt);
  return { kind: 'unseen', period, form, field: '', value: '', count: 1, most: 0 };
};

export const countConfirmed = ({ day, form, total }: Loss): Count => {
  return { kind: 'unseen confirmed', period: day, form, field: '', value: '', count: 0, most: total };
};

const keyOf = ({ kind, period, form, field, value }: Count) =>
  [kind, period, form, field, value].join('\u0000');

/** One for each thing that is counted, and sorted, so that equal lists are equal texts. */
export function mergeEqualCounts(counts: readonly Count[]): Count[] {
  const sums = new Map<string, Count>();
  for (const one of counts) {
    const sum = sums.get(keyOf(one));
    if (sum) Object.assign(sum, { count: sum.count + one.count, most: Math.max(sum.most, one.most) });
    else sums.set(keyOf(one), { ...one });
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}
