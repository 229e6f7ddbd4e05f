import type { Definition } from '../model/form-field.ts';
import { formNames } from '../model/form-field.ts';
import { serverRowOf } from '../model/server-field-types.ts';
import type { FigureSource, Figures } from '../server/store/contract/counts.ts';
import { isExact } from './known.ts';
import { firstDay, lastDay, monthsOf, type Quarter, quartersBefore, sayPeriod } from './quarters.ts';
import { makeSafe } from './safe-quarter.ts';
import { type LabelledQuestion, makeTables, type SafeTable } from './tables.ts';

/** What is published of a period, in whatever form. */
export interface Report {
  period: ReportPeriod;
  before: ReportPeriod;
  tables: readonly SafeTable[];
}

export interface ReportPeriod {
  /** The first and the last month. */
  from: string;
  to: string;
  words: string;
}

const describe = (quarters: readonly Quarter[]): ReportPeriod => ({
  from: monthsOf(quarters[0] ?? '')[0],
  to: monthsOf(quarters.at(-1) ?? '')[2],
  words: sayPeriod(quarters),
});

export async function makeReport(
  source: FigureSource,
  quarters: readonly Quarter[],
  questions: readonly LabelledQuestion[],
): Promise<Report> {
  const before = quartersBefore(quarters);
  const figures = await source.readFigures(firstDay(before[0] ?? ''), lastDay(quarters.at(-1) ?? ''));
  return reportOn(figures, quarters, questions);
}

/** @param figures of the quarters and of as many before them. */
export function reportOn(
  figures: Figures,
  quarters: readonly Quarter[],
  questions: readonly LabelledQuestion[],
): Report {
  const before = quartersBefore(quarters);
  const former = findFormer(figures, questions);
  const all = [...questions, ...former];
  const safe = (quarter: Quarter) => makeSafe(figures, quarter, all);
  const tables = makeTables(quarters.map(safe), before.map(safe), all);
  return {
    period: describe(quarters),
    before: describe(before),
    // That a question is there, which nobody is asked now, would say that somebody was.
    tables: tables.filter(
      ({ form, field, rows }) =>
        !former.some((one) => one.form === form && one.field === field) ||
        rows.some(({ known }) => isExact(known)),
    ),
  };
}

/** What was counted and is not any more has no words but its key. */
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

/** The questions that are counted, as they are asked now. */
export function findQuestions(
  forms: Record<(typeof formNames)[number], { definition: Definition; counted: readonly string[] }>,
): LabelledQuestion[] {
  return formNames.flatMap((form) =>
    forms[form].definition.flatMap((field): LabelledQuestion[] => {
      const { key, displayName, required } = field;
      const choices = forms[form].counted.includes(key) && serverRowOf(field).counted?.choices(field);
      if (!choices) return [];
      return [{ form, field: key, title: displayName, required, choices, tickBox: field.type === 'boolean' }];
    }),
  );
}
