import { expect, test } from 'vitest';
import type { Figures } from '../server/store/contract/counts.ts';
import { smallestShown } from './intervals.ts';
import { reportOn } from './make-report.ts';

const [quarter, day] = ['2026-Q2', '2026-04-01'];

/** Requests on pages in each language, and on those of the original. */
type Languages = { original: number } & Record<string, number>;

function figuresOf({ original, ...languages }: Languages): Figures {
  const total = Object.values(languages).reduce((sum, count) => sum + count, original);
  const one = { day, form: 'help' } as const;
  return {
    received: [{ ...one, count: total }],
    languages: Object.entries(languages).map(([language, count]) => ({ ...one, language, count })),
    choices: [],
    hours: [],
    delivered: [],
    answered: [],
  };
}

const report = (counts: Languages, offered: readonly string[], quarters = [quarter]) =>
  reportOn(figuresOf(counts), quarters, [], offered);
const rowsOf = (...given: Parameters<typeof report>) =>
  report(...given)
    .tables.filter(({ subject }) => subject === 'languages')
    .flatMap(({ rows }) => rows.map(({ label, known }) => [label, known.least, known.most]));

test('a language with five requests or more has a number, and the others are fewer than five', () => {
  expect(
    rowsOf({ original: 40, mi: 0, sm: 7, to: 2, 'en-NZ-x-easy': 12 }, ['en-NZ-x-easy', 'mi', 'sm', 'to']),
  ).toEqual([
    ['English (New Zealand), easy', 12, 12],
    ['Samoan', 7, 7],
    ['Māori', 0, 4],
    ['Tongan', 0, 4],
  ]);
});

test('nothing is said of languages where none has five, nor where none was ever used', () => {
  expect(rowsOf({ original: 40, sm: 4 }, ['sm', 'to'])).toEqual([]);
  expect(rowsOf({ original: 40 }, [])).toEqual([]);
  expect(rowsOf({ original: 40 }, ['sm'])).toEqual([]);
});

test('a language whose file is gone has a row only where its number is shown', () => {
  expect(rowsOf({ original: 40, sm: 6, to: 3 }, [])).toEqual([['Samoan', 6, 6]]);
});

test('several quarters add up, with what one of them hides as a range', () => {
  const counts = figuresOf({ original: 40, sm: 6 });
  const before = { day: '2026-01-15', form: 'help' } as const;
  const figures = {
    ...counts,
    received: [{ ...before, count: 30 }, ...counts.received],
    languages: [{ ...before, language: 'sm', count: 2 }, ...counts.languages],
  };
  const { tables } = reportOn(figures, ['2026-Q1', quarter], [], ['sm']);
  expect(tables.find(({ subject }) => subject === 'languages')?.rows).toMatchObject([
    { cells: ['sm'], known: { least: 6, most: 10 } },
  ]);
});

/** Every way of dividing so many requests among the original and these languages. */
function* everyWay(total: number, [tag, ...others]: readonly string[]): Generator<Languages> {
  if (tag === undefined) return yield { original: total };
  for (let count = 0; count <= total; count++)
    for (const rest of everyWay(total - count, others)) yield { ...rest, [tag]: count };
}

test.each([
  [['sm'], 0, 20],
  [['sm', 'to'], 0, 20],
  [['mi', 'sm', 'to'], 18, 18],
] as const)(
  'with %j any number below five, the original’s included, can be anything from 0 to 4 in the very same report',
  (offered, least, most) => {
    const values = new Map<string, Set<number>>();
    let shown = 0;
    for (let total = least; total <= most; total++)
      for (const counts of everyWay(total, offered)) {
        const published = JSON.stringify(report(counts, offered));
        if (published.includes('"languages"')) shown++;
        for (const [tag, count] of Object.entries(counts)) {
          if (count >= smallestShown) continue;
          const key = `${tag} ${published}`;
          values.set(key, (values.get(key) ?? new Set()).add(count));
        }
      }
    expect(shown).toBeGreaterThan(0);
    expect([...values].filter(([, found]) => found.size < smallestShown)).toEqual([]);
  },
);
