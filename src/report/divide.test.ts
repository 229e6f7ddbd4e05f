import { expect, test } from 'vitest';
import { addParts, type Division, divide, undividedParts } from './divide.ts';
import { formatInterval } from './intervals.ts';

const week: Division = [
  ['mon', 'tue'],
  ['fri', ['sat', 'sun']],
];
const rows = (counts: Record<string, number>, division = week) =>
  Object.fromEntries(
    undividedParts(divide(division, new Map(Object.entries(counts)))).map(({ cells, known }) => [
      cells.join('+'),
      formatInterval(known),
    ]),
  );

test('numbers of five and more are shown', () => {
  expect(rows({ mon: 5, tue: 9, fri: 7, sat: 6, sun: 5 })).toEqual({
    mon: '5',
    tue: '9',
    fri: '7',
    sat: '6',
    sun: '5',
  });
});

test('a small number or zero is ‘fewer than 5’, and a number it could be worked out from is a range', () => {
  expect(rows({ mon: 5, tue: 9, fri: 7, sat: 11, sun: 3 })).toMatchObject({
    fri: '7',
    sat: '10 to 14',
    sun: 'fewer than 5',
  });
  expect(rows({ mon: 5, tue: 9, fri: 7, sat: 14, sun: 0 })).toMatchObject({
    sat: '10 to 14',
    sun: 'fewer than 5',
  });
});

test('two numbers that are small together stay together, however they are divided', () => {
  for (const [sat, sun] of [
    [4, 3],
    [7, 0],
    [1, 6],
  ])
    expect(rows({ mon: 5, tue: 9, fri: 7, sat: sat ?? 0, sun: sun ?? 0 })).toEqual({
      mon: '5',
      tue: '9',
      fri: '7',
      'sat+sun': '7',
    });
});

test('of fewer than five in all, nothing else is published', () => {
  expect(rows({ mon: 4 })).toEqual({ 'mon+tue+fri+sat+sun': 'fewer than 5' });
  expect(rows({})).toEqual({ 'mon+tue+fri+sat+sun': 'fewer than 5' });
});

test('several quarters are divided as far as each of them is', () => {
  const quarters = [
    { sat: 11, sun: 3 },
    { sat: 8, sun: 9 },
    { sat: 2, sun: 5 },
  ].map((counts) => divide(['sat', 'sun'], new Map(Object.entries(counts))));
  const told = (pieces: typeof quarters) =>
    undividedParts(addParts(pieces)).map(({ known }) => formatInterval(known));
  expect(told(quarters.slice(0, 2))).toEqual(['18 to 22', '9 to 13']);
  expect(told(quarters)).toEqual(['38']);
});
