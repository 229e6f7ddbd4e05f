import { type FormName, formNames } from '../model/form-field.ts';
import { deliveryBounds, type Figures } from '../server/store/contract/counts.ts';
import { type Division, divide, type SafePart } from './divide.ts';
import { exactly, few, fewest, isExact, type Known } from './known.ts';
import { monthsOf, type Quarter, quarterOf } from './quarters.ts';

/** A question whose choices are counted. Of a tick box the choices are 'true' and 'false'. */
export interface CountedQuestion {
  form: FormName;
  field: string;
  choices: readonly string[];
  /** Everybody has chosen at least one. */
  required: boolean;
  /** Everybody is in exactly one of its two choices. */
  tickBox: boolean;
}

export interface SafeForm {
  total: Known;
  months: SafePart;
  weekdays: SafePart;
  hours: SafePart;
  delivered: SafePart;
  /** By the question's key; null where nothing can be told of it. */
  ticks: ReadonlyMap<string, SafePart>;
  choices: ReadonlyMap<string, ReadonlyMap<string, Known> | null>;
}

/** All that is ever told of a quarter. Whatever is published is made of these alone. */
export interface SafeQuarter {
  quarter: Quarter;
  forms: Record<FormName, SafeForm>;
}

/**
 * From Monday, as weeks are written in New Zealand. What is usually less stands further in: where the weekend is small, it takes one
 * other number with it and not all.
 */
const weekdays: Division = [
  ['mon', 'tue'],
  [
    ['wed', 'thu'],
    ['fri', ['sat', 'sun']],
  ],
];

/** By three hours, each under the hour it begins at; the evening and the night furthest in. */
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

/** The only function that sees what was counted: nothing else in this room does. */
export function makeSafe(
  figures: Figures,
  quarter: Quarter,
  questions: readonly CountedQuestion[],
): SafeQuarter {
  const forms = formNames.map((form) => [form, makeFormSafe(figures, quarter, form, questions)]);
  return { quarter, forms: Object.fromEntries(forms) };
}

function makeFormSafe(
  figures: Figures,
  quarter: Quarter,
  form: FormName,
  questions: readonly CountedQuestion[],
): SafeForm {
  const received = figures.received.filter((one) => one.form === form && quarterOf(one.day) === quarter);
  const ofMonths = <T extends { form: FormName; month: string }>(list: readonly T[]) =>
    list.filter((one) => one.form === form && quarterOf(one.month) === quarter);
  const [first, second, third] = monthsOf(quarter);
  const months = divide(
    [first, [second, third]],
    addUp(received, (one) => one.day.slice(0, 7)),
  );
  const asked = ofMonths(figures.choices);
  const ofField = (field: string) =>
    addUp(
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
      addUp(received, (one) => weekdayOf(one.day)),
    ),
    hours: divide(
      hours,
      addUp(ofMonths(figures.hours), (one) => String(one.hour - (one.hour % 3))),
    ),
    delivered: divide(
      delivered,
      // Where too few came to say how many, what was delivered of them would say it.
      addUp(
        isExact(total)
          ? figures.delivered.filter((one) => one.form === form && quarterOf(one.day) === quarter)
          : [],
        (one) => String(one.within),
      ),
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
  };
}

function addUp<T extends { count: number }>(
  list: readonly T[],
  cellOf: (one: T) => string,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const one of list) sums.set(cellOf(one), (sums.get(cellOf(one)) ?? 0) + one.count);
  return sums;
}

/**
 * 'All but one' is as small a number as 'one': where fewer than five did not choose it, that is all that is told. Null where
 * so few asked at all that even this would tell more.
 */
function withinAll(count: number, total: Known): Known | null {
  if (!isExact(total) || total.least - count >= fewest || count > total.least) return exactly(count);
  const least = total.least - few.most;
  return least >= fewest ? { least, most: total.least } : null;
}

/**
 * People choose as many as they like, so the numbers do not add up to anything. But where each must choose one, together they are
 * no fewer than the requests. Where that could keep a small number from being none at all, nothing is told.
 */
function makeChoicesSafe(
  { choices: asked, required }: CountedQuestion,
  counts: ReadonlyMap<string, number>,
  total: Known,
): ReadonlyMap<string, Known> | null {
  // What is not asked any more has a row only where its number is told: the row alone would say that somebody chose it.
  const former = [...counts].filter(([choice, count]) => !asked.includes(choice) && count >= fewest);
  const safe = new Map<string, Known>();
  for (const choice of [...asked, ...former.map(([one]) => one)]) {
    const count = counts.get(choice) ?? 0;
    const known = count >= fewest ? withinAll(count, total) : few;
    if (known === null) return null;
    safe.set(choice, known);
  }
  const numbers = [...safe.values()];
  const hidden = numbers.filter((known) => known === few).length;
  const told = numbers.reduce((sum, known) => sum + (known === few ? 0 : known.least), 0);
  if (!required) return safe;
  // Without a small one here there may be one among those that are not asked any more.
  const canBeNone = hidden === 0 ? told >= total.least : told + few.most * (hidden - 1) > total.least;
  return canBeNone ? safe : null;
}
