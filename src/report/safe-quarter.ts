import { type FormName, formNames } from '../model/form-field.ts';
import { deliveryBounds, type Figures } from '../server/store/contract/counts.ts';
import { makeAnsweredSafe, type SafeAnswered } from './answered.ts';
import { type Division, divide, type SafePart } from './divide.ts';
import { addIntervals, exactly, type Interval, isExact, smallestShown, suppressed } from './intervals.ts';
import { monthsOf, type Quarter, quarterOf } from './quarters.ts';

/** A question whose choices are counted. A tick box has the choices 'true' and 'false'. */
export interface CountedQuestion {
  form: FormName;
  field: string;
  choices: readonly string[];
  /** Each request has at least one choice. */
  required: boolean;
  /** Each request has exactly one of the two choices. */
  tickBox: boolean;
}

export interface SafeForm {
  total: Interval;
  months: SafePart;
  weekdays: SafePart;
  hours: SafePart;
  delivered: SafePart;
  answered: SafeAnswered;
  /** By the key of the question; null where nothing can be shown safely. */
  ticks: ReadonlyMap<string, SafePart>;
  choices: ReadonlyMap<string, ReadonlyMap<string, Interval> | null>;
  /** By the tag, without the original; null where nothing can be shown safely. */
  languages: ReadonlyMap<string, Interval> | null;
}

/** Everything that is ever published of a quarter. Reports are made of these numbers alone. */
export interface SafeQuarter {
  quarter: Quarter;
  forms: Record<FormName, SafeForm>;
}

/**
 * From Monday, as weeks are written in New Zealand. Days that usually have fewer requests are nested deeper: a small weekend then
 * hides one other number and not all.
 */
const weekdays: Division = [
  ['mon', 'tue'],
  [
    ['wed', 'thu'],
    ['fri', ['sat', 'sun']],
  ],
];

/** Three hours each, named by the first; the evening and the night are nested deepest. */
const hours: Division = [
  ['6', '9'],
  [
    ['12', '15'],
    [
      ['18', '21'],
      ['0', '3'],
    ],
  ],
];

const [minute, tenMinutes, hour, day, longer] = deliveryBounds.map(String) as [
  string,
  string,
  string,
  string,
  string,
];
const delivered: Division = [minute, [tenMinutes, [hour, [day, longer]]]];

const weekdayCells = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const weekdayOf = (written: string) => weekdayCells[new Date(`${written}T00:00:00Z`).getUTCDay()] ?? '';

/** The only function of src/report that sees the raw counts. */
export function makeSafe(
  figures: Figures,
  quarter: Quarter,
  questions: readonly CountedQuestion[],
  languages: readonly string[],
): SafeQuarter {
  const forms = formNames.map((form) => [form, makeFormSafe(figures, quarter, form, questions, languages)]);
  return { quarter, forms: Object.fromEntries(forms) };
}

function makeFormSafe(
  figures: Figures,
  quarter: Quarter,
  form: FormName,
  questions: readonly CountedQuestion[],
  languages: readonly string[],
): SafeForm {
  const ofDays = <T extends { form: FormName; day: string }>(list: readonly T[]) =>
    list.filter((one) => one.form === form && quarterOf(one.day) === quarter);
  const received = ofDays(figures.received);
  const ofMonths = <T extends { form: FormName; month: string }>(list: readonly T[]) =>
    list.filter((one) => one.form === form && quarterOf(one.month) === quarter);
  const [first, second, third] = monthsOf(quarter);
  const months = divide(
    [first, [second, third]],
    sumByCell(received, (one) => one.day.slice(0, 7)),
  );
  const asked = ofMonths(figures.choices);
  const ofField = (field: string) =>
    sumByCell(
      asked.filter((one) => one.field === field),
      (one) => one.choice,
    );
  const mine = questions.filter((question) => question.form === form);
  const { known: total } = months;
  return {
    total,
    months,
    weekdays: divide(
      weekdays,
      sumByCell(received, (one) => weekdayOf(one.day)),
    ),
    hours: divide(
      hours,
      sumByCell(ofMonths(figures.hours), (one) => String(one.hour - (one.hour % 3))),
    ),
    delivered: divide(
      delivered,
      // Where the total is hidden, the number of deliveries would give it away.
      sumByCell(isExact(total) ? ofDays(figures.delivered) : [], (one) => String(one.within)),
    ),
    answered: makeAnsweredSafe(
      sumByCell(ofDays(figures.answered), ({ within }) => within),
      total,
    ),
    ticks: new Map(
      mine
        .filter(({ tickBox }) => tickBox)
        .map(({ field }) => [field, divide(['true', 'false'], ofField(field))]),
    ),
    choices: new Map(
      mine
        .filter(({ tickBox }) => !tickBox)
        .map((question) => [question.field, makeChoicesSafe(question, ofField(question.field), total)]),
    ),
    languages: makeLanguagesSafe(
      languages,
      sumByCell(ofDays(figures.languages), (one) => one.language),
      total,
    ),
  };
}

function sumByCell<T extends { count: number }, Cell>(
  list: readonly T[],
  cellOf: (one: T) => Cell,
): Map<Cell, number> {
  const sums = new Map<Cell, number>();
  for (const one of list) sums.set(cellOf(one), (sums.get(cellOf(one)) ?? 0) + one.count);
  return sums;
}

/**
 * 'All but one' gives as much away as 'one': where fewer than 5 did not make the choice, only that is published. Null where the total
 * is so small that even this would tell more.
 */
function withinAll(count: number, total: Interval): Interval | null {
  if (!isExact(total) || total.least - count >= smallestShown || count > total.least) return exactly(count);
  const least = total.least - suppressed.most;
  return least >= smallestShown ? { least, most: total.least } : null;
}

/**
 * People may make several choices, so the numbers do not add up to the total. But where one is required, together they are at least
 * the total. Where that could show that a hidden number is not zero, nothing is published.
 */
function makeChoicesSafe(
  { choices: asked, required }: CountedQuestion,
  counts: ReadonlyMap<string, number>,
  total: Interval,
): ReadonlyMap<string, Interval> | null {
  const safe = new Map<string, Interval>();
  for (const choice of withFormer(asked, counts)) {
    const count = counts.get(choice) ?? 0;
    const known = count >= smallestShown ? withinAll(count, total) : suppressed;
    if (known === null) return null;
    safe.set(choice, known);
  }
  const numbers = [...safe.values()];
  const hidden = numbers.filter((known) => known === suppressed).length;
  const told = numbers.reduce((sum, known) => sum + (known === suppressed ? 0 : known.least), 0);
  if (!required) return safe;
  // Without a hidden number here there may be one among the former choices.
  const canBeNone = hidden === 0 ? told >= total.least : told + suppressed.most * (hidden - 1) > total.least;
  return canBeNone ? safe : null;
}

/** What is no longer asked has a row only where its number is shown: the row alone would say that somebody chose it. */
function withFormer(asked: readonly string[], counts: ReadonlyMap<string, number>): string[] {
  const former = [...counts].filter(([one, count]) => !asked.includes(one) && count >= smallestShown);
  return [...asked, ...former.map(([one]) => one)];
}

/**
 * Each request has one language, so that all numbers, the original's included, add up to the total. The original's is not
 * published, and nothing is unless it is 5 or more whatever the hidden numbers are: then these can be anything from 0 to 4.
 */
function makeLanguagesSafe(
  tags: readonly string[],
  counts: ReadonlyMap<string, number>,
  total: Interval,
): ReadonlyMap<string, Interval> | null {
  const safe = new Map(
    withFormer(tags, counts).map((tag) => {
      const count = counts.get(tag) ?? 0;
      return [tag, count >= smallestShown ? exactly(count) : suppressed];
    }),
  );
  return total.least - addIntervals([...safe.values()]).most >= smallestShown ? safe : null;
}
