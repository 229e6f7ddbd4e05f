import { type Definition, type FormName, formNames } from '../model/form-field.ts';
import { serverBehaviourOf } from '../model/server-field-types.ts';
import type { FigureSource, Figures } from '../server/store/contract/counts.ts';
import { describeAnswered, type SafeAnswered } from './answered.ts';
import { isExact } from './intervals.ts';
import { firstDay, formatPeriod, lastDay, monthsOf, type Quarter, quartersBefore } from './quarters.ts';
import { makeSafe, type SafeQuarter } from './safe-quarter.ts';
import { type LabelledQuestion, makeTables, type SafeTable } from './tables.ts';

/** What is published of a period, on every medium. */
export interface Report {
  period: ReportPeriod;
  before: ReportPeriod;
  tables: readonly SafeTable[];
  /** How soon people were answered, quarter by quarter. Empty where nothing can be said safely. */
  answered: readonly AnsweredWords[];
}

export interface AnsweredWords extends SafeAnswered {
  form: FormName;
  /** The quarter. */
  period: string;
  words: string;
}

interface ReportPeriod {
  /** The first and the last month, such as 2026-07. */
  from: string;
  to: string;
  words: string;
}

const describe = (quarters: readonly Quarter[]): ReportPeriod => ({
  from: monthsOf(quarters[0] ?? '')[0],
  to: monthsOf(quarters.at(-1) ?? '')[2],
  words: formatPeriod(quarters),
});

export async function makeReport(
  source: FigureSource,
  quarters: readonly Quarter[],
  questions: readonly LabelledQuestion[],
  languages: readonly string[],
): Promise<Report> {
  const before = quartersBefore(quarters);
  const figures = await source.readFigures(firstDay(before[0] ?? ''), lastDay(quarters.at(-1) ?? ''));
  return reportOn(figures, quarters, questions, languages);
}

/**
 * @param figures of the quarters, and of as many quarters before them.
 * @param languages the tags of those that the content has beside the original.
 */
export function reportOn(
  figures: Figures,
  quarters: readonly Quarter[],
  questions: readonly LabelledQuestion[],
  languages: readonly string[],
): Report {
  const before = quartersBefore(quarters);
  const former = findFormer(figures, questions);
  const all = [...questions, ...former];
  const safe = (quarter: Quarter) => makeSafe(figures, quarter, all, languages);
  const now = quarters.map(safe);
  const tables = makeTables(now, before.map(safe), all);
  return {
    period: describe(quarters),
    before: describe(before),
    answered: formNames.flatMap((form) => now.flatMap((one) => answeredIn(form, one))),
    // A former question without an exact number is left out: its row alone would say that somebody answered it.
    tables: tables.filter(
      ({ form, field, rows }) =>
        !former.some((one) => one.form === form && one.field === field) ||
        rows.some(({ known }) => isExact(known)),
    ),
  };
}

function answeredIn(form: FormName, { quarter, forms }: SafeQuarter): AnsweredWords[] {
  const words = describeAnswered(forms[form].answered);
  return words === null ? [] : [{ form, period: formatPeriod([quarter]), ...forms[form].answered, words }];
}

/** Questions that were counted once. Only their keys are known, not their wording. */
function findFormer(figures: Figures, questions: readonly LabelledQuestion[]): LabelledQuestion[] {
  const choices = Object.groupBy(
    figures.choices.filter(
      ({ form, field }) => !questions.some((one) => one.form === form && one.field === field),
    ),
    ({ form, field }) => JSON.stringify([form, field]),
  );
  return Object.values(choices).flatMap((made = []) => {
    const [first] = made;
    if (!first) return [];
    const tickBox = made.every(({ choice }) => choice === 'true' || choice === 'false');
    const { form, field } = first;
    return { form, field, title: field, choices: tickBox ? ['true', 'false'] : [], required: true, tickBox };
  });
}

/** The questions that are counted, in their present wording. */
export function findQuestions(
  forms: Record<FormName, { definition: Definition; counted: readonly string[] }>,
): LabelledQuestion[] {
  return formNames.flatMap((form) =>
    forms[form].definition.flatMap((field): LabelledQuestion[] => {
      const { key, displayName, required } = field;
      const choices = forms[form].counted.includes(key) && serverBehaviourOf(field).counted?.choices(field);
      if (!choices) return [];
      return [{ form, field: key, title: displayName, required, choices, tickBox: field.type === 'boolean' }];
    }),
  );
}
