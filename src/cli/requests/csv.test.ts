import { expect, test } from 'vitest';
import { parseCsv } from '../../../test/support/csv.ts';
import { shippedContent } from '../../../test/support/forms.ts';
import { hostileAnswers } from '../../../test/support/hostile-answers.ts';
import { receivedAt, stored } from '../../../test/support/submission-mail.ts';
import { safeJson, terminalSafe } from '../../server/delivery/letter/printable.ts';
import { columnsOf, csvHead, csvRow } from './csv.ts';

const { definition } = shippedContent.forms.help;

const saying = (message: string) =>
  stored(
    'help',
    { FirstName: message, Message: message },
    {
      verdict: { kind: 'low-score', score: 0.3 },
      delivery: { deliveredAt: receivedAt },
    },
  );

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const obeyed = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

test('JSON of a hostile answer has the same value, and nothing that a terminal obeys', () => {
  const text = safeJson(hostileAnswers, 2);
  expect(text).not.toMatch(obeyed);
  expect(JSON.parse(text)).toEqual(hostileAnswers);
});

test('every hostile answer reads back as it was typed, with control characters made visible, and none begins a formula', () => {
  const columns = columnsOf([definition]);
  const text = csvHead(columns) + hostileAnswers.map((answer) => csvRow(columns, saying(answer))).join('');
  const [head, ...rows] = parseCsv(text);
  expect(rows).toHaveLength(hostileAnswers.length);
  expect(text.replaceAll('\r\n', '\n')).not.toMatch(obeyed);
  for (const [index, row] of rows.entries()) {
    expect(row).toHaveLength(head?.length ?? 0);
    for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
    const typed = terminalSafe(hostileAnswers[index] ?? '');
    for (const title of ['First name', 'Message']) {
      const cell = row[head?.indexOf(title) ?? -1] ?? '';
      expect([typed, `'${typed}`]).toContain(cell);
    }
  }
});

test('a question whose wording changed is one column, and two forms share theirs', () => {
  const [first, ...rest] = definition;
  if (!first) throw new Error('no questions');
  const reworded = [{ ...first, displayName: 'What may we call you?' }, ...rest];
  const columns = columnsOf([reworded, definition, shippedContent.forms.contact.definition]);
  expect(columns[0]).toEqual({ key: first.key, title: 'What may we call you?' });
  expect(new Set(columns.map(({ key }) => key)).size).toBe(columns.length);
});

test('a language that is no tag, as in a damaged database, begins no formula either', () => {
  const text = csvRow([], { ...saying('x'), language: '=1+1\u001b' });
  expect(parseCsv(text)[0]?.at(-1)).toBe("'=1+1␛");
});

test('a row has the time of receipt in New Zealand, and the verdict of the bot check', () => {
  const [[...cells] = []] = parseCsv(csvRow(columnsOf([definition]), saying('x')));
  expect(cells.slice(0, 5)).toEqual(['HK7W-3RQX', 'help', '2026-11-15 15:10', 'accepted', 'low score 0.3']);
  expect(cells).toContain('Housing\nCounselling');
});
