import { asText } from '../../model/phrase.ts';
import { formatInterval, isExact, smallestShown } from '../../report/intervals.ts';
import { formTitles } from '../../report/tables.ts';
import { safeJson } from '../../server/delivery/letter/printable.ts';
import { byteOrderMark, csvLine } from '../requests/csv.ts';
import type { ReadReport } from './read-report.ts';

/** The tables of a report for a program or a spreadsheet, with the same numbers as on the page and no others. */

const smallNumbers = `Numbers below ${smallestShown}, zero included, are not given exactly, but as a least and a most. So are numbers that they could be worked out from.`;

export function reportAsJson({ report, content }: ReadReport): string {
  const { period, before, tables, answered } = report;
  const organisation = asText(content.site.organisation);
  return `${safeJson({ organisation, period, before, smallNumbers, tables: tables.map(tableAsJson), answered }, 2)}\n`;
}

const tableAsJson = ({
  subject,
  form,
  field,
  title,
  rows,
  several,
}: ReadReport['report']['tables'][number]) => ({
  subject,
  form,
  ...(field === undefined ? {} : { field }),
  title,
  ...(several ? { several } : {}),
  rows: rows.map(({ label, cells, known, before, change }) => ({
    label,
    cells,
    ...known,
    ...(before ? { before, change } : {}),
  })),
});

const head = ['Form', 'Subject', 'Row', 'Number', 'At least', 'At most', 'Before', 'Change'];

export function reportAsCsv({ report: { tables, period, answered } }: ReadReport): string {
  const lines = tables.flatMap(({ subject, form, title, rows }) =>
    rows.map(({ label, known, before, change }) => [
      formTitles[form],
      subject === 'question' ? title : subject,
      label,
      isExact(known) ? String(known.least) : formatInterval(known),
      String(known.least),
      String(known.most),
      before ? formatInterval(before) : '',
      String(change ?? ''),
    ]),
  );
  return [
    byteOrderMark + csvLine(head),
    ...lines.map(csvLine),
    ...answered.map((one) =>
      csvLine([formTitles[one.form], 'answered', one.period, one.words, '', '', '', '']),
    ),
    csvLine([period.words, '', smallNumbers]),
  ].join('');
}
