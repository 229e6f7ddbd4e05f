import type { BotVerdict } from '../../model/bot-verdict.ts';
import type { AnswerValue } from '../../model/field-types.ts';
import type { Definition } from '../../model/form-field.ts';
import { describeChange } from '../../server/delivery/letter/change-words.ts';
import { formatLanguage } from '../../server/delivery/letter/format-language.ts';
import { terminalSafe } from '../../server/delivery/letter/printable.ts';
import { requestState, type StoredSubmission } from '../../server/store/contract/submission.ts';
import { nzTime } from '../../server/time/nz-time.ts';

/** Without this mark a spreadsheet takes UTF-8 for an older encoding, and macrons break. */
export const byteOrderMark = '\uFEFF';

/** A question, with its latest wording. */
interface QuestionColumn {
  key: string;
  title: string;
}

/** One column for each question of any definition, in the order of the latest. */
export function columnsOf(definitions: readonly Definition[]): QuestionColumn[] {
  const titles = new Map<string, string>();
  for (const field of definitions.flat())
    if (!titles.has(field.key)) titles.set(field.key, field.displayName);
  return [...titles].map(([key, title]) => ({ key, title }));
}

export function csvHead(columns: readonly QuestionColumn[]): string {
  const fixed = ['Reference', 'Form', 'Received (NZ time)', 'Status', 'Bot check'];
  const followUp = ['Taken by', 'Taken (NZ time)', 'Answered by', 'Answered (NZ time)'];
  const since = ['Do not contact (NZ time)', 'Withdrawn (NZ time)', 'Since then'];
  return csvLine([...fixed, ...followUp, ...since, 'Language', ...columns.map(({ title }) => title)]);
}

export function csvRow(columns: readonly QuestionColumn[], submission: StoredSubmission): string {
  const {
    reference,
    form,
    receivedAt,
    delivery,
    verdict,
    language,
    answers,
    followUp,
    changes = [],
  } = submission;
  const { takenBy, takenAt, answeredBy, answeredAt, noContactAt, withdrawnAt } = followUp;
  const given = new Map(Array.isArray(answers) ? answers.map(({ key, value }) => [key, value]) : []);
  return csvLine([
    reference,
    form,
    nzTime(receivedAt),
    requestState({ delivery, followUp }),
    verdictWords(verdict),
    ...[takenBy ?? '', timeCell(takenAt), answeredBy ?? '', timeCell(answeredAt)],
    ...[timeCell(noContactAt), timeCell(withdrawnAt)],
    changes.map((one) => `${nzTime(one.at)}: ${describeChange(one)}`).join('\n'),
    language ? formatLanguage(language) : '',
    ...columns.map(({ key }) => asCell(given.get(key))),
  ]);
}

const timeCell = (at: Date | null) => (at ? nzTime(at) : '');

function asCell(value: AnswerValue | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return Array.isArray(value) ? value.join('\n') : value;
}

/**
 * All cells are quoted: spreadsheets of some countries separate by semicolons. Control characters are made visible, because
 * without --out the output may go to a terminal.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${harmless(terminalSafe(cell)).replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/** A spreadsheet runs a cell that begins like a formula. An apostrophe in front makes the cell text (OWASP, CSV injection). */
function harmless(cell: string): string {
  return /^[\s\0\uFEFF]*[=+\-@＝＋－＠]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
}

function verdictWords(verdict: BotVerdict): string {
  if (verdict.kind === 'low-score') return `low score ${verdict.score}`;
  if (verdict.kind === 'no-script') return ['no script', ...verdict.doubts].join(', ');
  return verdict.kind === 'many' ? 'many from one address' : verdict.kind;
}
