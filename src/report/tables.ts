import type { FormName } from '../model/form-field.ts';
import { formNames } from '../model/form-field.ts';
import { addParts, endsOf, type SafePart } from './divide.ts';
import { addKnown, changeBetween, few, type Known } from './known.ts';
import { labelDelivered, labelHours, labelMonths, labelTicks, labelWeekdays } from './labels.ts';
import type { Quarter } from './quarters.ts';
import type { CountedQuestion, SafeForm, SafeQuarter } from './safe-quarter.ts';

/** The tables that the page, the spreadsheet, the JSON and the terminal all show. They are made of safe quarters and nothing else. */

export type Subject = 'total' | 'months' | 'weekdays' | 'hours' | 'delivered' | 'question';

export interface SafeRow {
  label: string;
  /** What is counted in it, as the figures name it. */
  cells: readonly string[];
  known: Known;
  /** The same in the period before, where it can be compared. */
  before?: Known;
  change?: number | null;
}

export interface SafeTable {
  subject: Subject;
  form: FormName;
  /** The question's key, where it is one's. */
  field?: string;
  title: string;
  /** None where nothing can be told. */
  rows: readonly SafeRow[];
  /** People could choose several, so the rows do not add up. */
  several?: boolean;
}

export interface LabelledQuestion extends CountedQuestion {
  title: string;
}

export const formTitles: Record<FormName, string> = { help: 'Requests for help', contact: 'Messages' };

/** @param before the quarters right before, as many. */
export function makeTables(
  now: readonly SafeQuarter[],
  before: readonly SafeQuarter[],
  questions: readonly LabelledQuestion[],
): SafeTable[] {
  return formNames.flatMap((form) => {
    const mine = now.map(({ forms }) => forms[form]);
    const theirs = before.map(({ forms }) => forms[form]);
    const title = formTitles[form];
    const part = (pick: (safe: SafeForm) => SafePart) => addParts(mine.map(pick));
    const rowsOf = (whole: SafePart, label: (cells: readonly string[]) => string): SafeRow[] =>
      dividedOf(whole).map(({ cells, known }) => ({ label: label(cells), cells, known }));
    return [
      { subject: 'total', form, title, rows: [totalRow(form, mine, theirs)] },
      { subject: 'months', form, title, rows: monthRows(now, form) },
      {
        subject: 'weekdays',
        form,
        title,
        rows: rowsOf(
          part(({ weekdays }) => weekdays),
          labelWeekdays,
        ),
      },
      {
        subject: 'hours',
        form,
        title,
        rows: rowsOf(
          part(({ hours }) => hours),
          labelHours,
        ),
      },
      ...questions
        .filter((question) => question.form === form)
        .map((question): SafeTable => questionTable(question, mine, theirs)),
      {
        subject: 'delivered',
        form,
        title,
        rows: rowsOf(
          part(({ delivered }) => delivered),
          labelDelivered,
        ),
      },
    ];
  });
}

/** What is not divided at all is the total once more. */
const dividedOf = (whole: SafePart): SafePart[] => (whole.parts ? endsOf(whole) : []);

function totalRow(form: FormName, now: readonly SafeForm[], before: readonly SafeForm[]): SafeRow {
  const sum = (forms: readonly SafeForm[]) => addKnown(forms.map(({ total }) => total));
  return compared({ label: formTitles[form], cells: [form], known: sum(now) }, sum(before));
}

const compared = (row: SafeRow, before: Known): SafeRow => ({
  ...row,
  before,
  change: changeBetween(row.known, before),
});

const yearOf = (quarter: Quarter) => quarter.slice(0, 4);

function monthRows(quarters: readonly SafeQuarter[], form: FormName): SafeRow[] {
  const withYear = new Set(quarters.map(({ quarter }) => yearOf(quarter))).size > 1;
  return quarters.flatMap(({ forms }) =>
    endsOf(forms[form].months).map(({ cells, known }) => ({
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
  const [told, toldBefore] = [tellChoices(field, now), tellChoices(field, before)];
  if (!told) return { ...table, rows: [], several: true };
  const former = [...new Set([...told.keys(), ...(toldBefore?.keys() ?? [])])];
  const rows = [...new Set([...choices, ...former])].map((choice): SafeRow => {
    // A choice that was not asked in one of the periods was made by few there, for all that may be said.
    const known = told.get(choice) ?? addKnown(now.map(() => few));
    const row = { label: choice, cells: [choice], known };
    return toldBefore ? compared(row, toldBefore.get(choice) ?? addKnown(before.map(() => few))) : row;
  });
  return { ...table, rows: rows.toSorted((a, b) => b.known.most - a.known.most), several: true };
}

function tickRows(field: string, now: readonly SafeForm[], before: readonly SafeForm[]): SafeRow[] {
  const whole = (forms: readonly SafeForm[]) =>
    dividedOf(addParts(forms.flatMap(({ ticks }) => ticks.get(field) ?? [])));
  const earlier = new Map(whole(before).map(({ cells, known }) => [cells.join(), known]));
  return whole(now).map(({ cells, known }) => {
    const row = { label: labelTicks(cells), cells, known };
    const then = earlier.get(cells.join());
    return then ? compared(row, then) : row;
  });
}

/** What is told of each choice in all of them, or null where one of them tells nothing. */
function tellChoices(field: string, forms: readonly SafeForm[]): Map<string, Known> | null {
  const quarters = forms.map(({ choices }) => choices.get(field));
  const told = quarters.filter((choices) => !!choices);
  if (told.length < quarters.length) return null;
  const all = new Set(told.flatMap((choices) => [...choices.keys()]));
  return new Map(
    [...all].map((choice) => [choice, addKnown(told.map((choices) => choices.get(choice) ?? few))]),
  );
}
