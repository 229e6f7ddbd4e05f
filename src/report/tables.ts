import { type FormName, formNames } from '../model/form-field.ts';
import { mapValues } from '../model/map-values.ts';
import { serverForms } from '../model/server-forms.ts';
import { addParts, type SafePart, undividedParts } from './divide.ts';
import { addIntervals, changeBetween, type Interval, suppressed } from './intervals.ts';
import {
  labelDelivered,
  labelHours,
  labelLanguages,
  labelMonths,
  labelTicks,
  labelWeekdays,
} from './labels.ts';
import type { Quarter } from './quarters.ts';
import type { CountedQuestion, SafeForm, SafeQuarter } from './safe-quarter.ts';

/** The tables that the page, the spreadsheet, the JSON and the terminal show, made of safe quarters alone. */

type Subject = 'total' | 'months' | 'weekdays' | 'hours' | 'languages' | 'delivered' | 'question';

export interface SafeRow {
  label: string;
  /** The cells that the row counts, by their names in the figures. */
  cells: readonly string[];
  known: Interval;
  /** The same number in the period before, where the two can be compared. */
  before?: Interval;
  change?: number | null;
}

export interface SafeTable {
  subject: Subject;
  form: FormName;
  /** The key of the question, for the table of a question. */
  field?: string;
  title: string;
  /** Empty where nothing can be shown safely. */
  rows: readonly SafeRow[];
  /** People could make several choices, so the rows do not add up. */
  several?: boolean;
}

export interface LabelledQuestion extends CountedQuestion {
  title: string;
}

export const formTitles = mapValues(
  serverForms,
  ({ plural }) => `${plural.charAt(0).toUpperCase()}${plural.slice(1)}`,
);

type Label = (cells: readonly string[]) => string;

/** @param before as many quarters, immediately before. */
export function makeTables(
  now: readonly SafeQuarter[],
  before: readonly SafeQuarter[],
  questions: readonly LabelledQuestion[],
): SafeTable[] {
  return formNames.flatMap((form) => {
    const current = now.map(({ forms }) => forms[form]);
    const previous = before.map(({ forms }) => forms[form]);
    const title = formTitles[form];
    const divided = (subject: Subject, pick: (safe: SafeForm) => SafePart, label: Label): SafeTable => {
      const rows = dividedParts(addParts(current.map(pick)));
      return {
        subject,
        form,
        title,
        rows: rows.map(({ cells, known }) => ({ label: label(cells), cells, known })),
      };
    };
    return [
      { subject: 'total', form, title, rows: [totalRow(form, current, previous)] },
      { subject: 'months', form, title, rows: monthRows(now, form) },
      divided('weekdays', ({ weekdays }) => weekdays, labelWeekdays),
      divided('hours', ({ hours }) => hours, labelHours),
      ...questions
        .filter((question) => question.form === form)
        .map((question): SafeTable => questionTable(question, current, previous)),
      ...languageTables(form, current),
      divided('delivered', ({ delivered }) => delivered, labelDelivered),
    ];
  });
}

/** None where no number can be shown: a table of small numbers alone would only say that there are languages. */
function languageTables(form: FormName, now: readonly SafeForm[]): SafeTable[] {
  const rows = [...(sumQuarters(now.map(({ languages }) => languages)) ?? [])].map(
    ([tag, known]): SafeRow => ({ label: labelLanguages([tag]), cells: [tag], known }),
  );
  if (rows.every(({ known }) => known.least === 0)) return [];
  const sorted = rows.toSorted((a, b) => b.known.most - a.known.most);
  return [{ subject: 'languages', form, title: formTitles[form], rows: sorted }];
}

/** A number that is not divided at all would only repeat the total. */
const dividedParts = (whole: SafePart): SafePart[] => (whole.parts ? undividedParts(whole) : []);

function totalRow(form: FormName, now: readonly SafeForm[], before: readonly SafeForm[]): SafeRow {
  const sum = (forms: readonly SafeForm[]) => addIntervals(forms.map(({ total }) => total));
  return compared({ label: formTitles[form], cells: [form], known: sum(now) }, sum(before));
}

const compared = (row: SafeRow, before: Interval): SafeRow => ({
  ...row,
  before,
  change: changeBetween(row.known, before),
});

const yearOf = (quarter: Quarter) => quarter.slice(0, 4);

function monthRows(quarters: readonly SafeQuarter[], form: FormName): SafeRow[] {
  const withYear = new Set(quarters.map(({ quarter }) => yearOf(quarter))).size > 1;
  return quarters.flatMap(({ forms }) =>
    undividedParts(forms[form].months).map(({ cells, known }) => ({
      label: labelMonths(cells, withYear),
      cells,
      known,
    })),
  );
}

function questionTable(
  { form, field, title, choices, tickBox }: LabelledQuestion,
  now: readonly SafeForm[],
  before: readonly SafeForm[],
): SafeTable {
  const table = { subject: 'question', form, field, title } as const;
  if (tickBox) return { ...table, rows: tickRows(field, now, before) };
  const ofField = (forms: readonly SafeForm[]) => sumQuarters(forms.map(({ choices }) => choices.get(field)));
  const [sums, sumsBefore] = [ofField(now), ofField(before)];
  if (!sums) return { ...table, rows: [], several: true };
  const former = [...new Set([...sums.keys(), ...(sumsBefore?.keys() ?? [])])];
  const rows = [...new Set([...choices, ...former])].map((choice): SafeRow => {
    // Of a choice that one of the periods did not have, no more may be said than that few made it.
    const known = sums.get(choice) ?? addIntervals(now.map(() => suppressed));
    const row = { label: choice, cells: [choice], known };
    return sumsBefore
      ? compared(row, sumsBefore.get(choice) ?? addIntervals(before.map(() => suppressed)))
      : row;
  });
  return { ...table, rows: rows.toSorted((a, b) => b.known.most - a.known.most), several: true };
}

function tickRows(field: string, now: readonly SafeForm[], before: readonly SafeForm[]): SafeRow[] {
  const whole = (forms: readonly SafeForm[]) =>
    dividedParts(addParts(forms.flatMap(({ ticks }) => ticks.get(field) ?? [])));
  const earlier = new Map(whole(before).map(({ cells, known }) => [cells.join(), known]));
  return whole(now).map(({ cells, known }) => {
    const row = { label: labelTicks(cells), cells, known };
    const then = earlier.get(cells.join());
    return then ? compared(row, then) : row;
  });
}

/** The bounds of each choice or language over all quarters, or null where one quarter shows nothing. */
function sumQuarters(
  quarters: readonly (ReadonlyMap<string, Interval> | null | undefined)[],
): Map<string, Interval> | null {
  const shown = quarters.filter((numbers) => !!numbers);
  if (shown.length < quarters.length) return null;
  const all = new Set(shown.flatMap((numbers) => [...numbers.keys()]));
  return new Map(
    [...all].map((one) => [one, addIntervals(shown.map((numbers) => numbers.get(one) ?? suppressed))]),
  );
}
