import { expect, test } from 'vitest';
import { afterPress, noPresses, type Press, pressWithinMs } from './shift-presses.ts';

type Step = [type: 'down' | 'up' | 'click', key: string, shiftKey: boolean, at?: number];

function count(steps: Step[]): number {
  const asPress = ([type, key, shiftKey, timeStamp = 0]: Step): Press =>
    type === 'click'
      ? { type: 'pointerdown', shiftKey, timeStamp }
      : { type: `key${type}`, key, shiftKey, timeStamp };
  return steps.map(asPress).reduce(afterPress, noPresses).count;
}

const press = (at = 0): Step[] => [
  ['down', 'Shift', true, at],
  ['up', 'Shift', false, at],
];
const typed = (key: string, shiftKey = false): Step[] => [
  ['down', key, shiftKey],
  ['up', key, shiftKey],
];

test('three presses are counted', () => {
  expect(count([...press(), ...press(), ...press()])).toBe(3);
});

test('a capital letter is no press, and the next press counts as the first', () => {
  const capital: Step[] = [['down', 'Shift', true], ...typed('A', true), ['up', 'Shift', false]];
  expect(count([...press(), ...press(), ...capital])).toBe(0);
  expect(count([...capital, ...press()])).toBe(1);
});

test('Shift released before its letter is no press', () => {
  const steps: Step[] = [
    ['down', 'Shift', true],
    ['down', 'A', true],
    ['up', 'Shift', false],
    ['up', 'a', false],
  ];
  expect(count(steps)).toBe(0);
});

test('a click with Shift held is no press', () => {
  expect(
    count([
      ['down', 'Shift', true],
      ['click', '', true],
      ['up', 'Shift', false],
    ]),
  ).toBe(0);
});

test('any other key starts over', () => {
  expect(count([...press(), ...press(), ...typed('Tab'), ...press()])).toBe(1);
});

test('left and right Shift count alike, also where they overlap', () => {
  const both: Step[] = [
    ['down', 'Shift', true],
    ['down', 'Shift', true],
    ['up', 'Shift', true],
    ['up', 'Shift', false],
  ];
  expect(count([...both, ...press()])).toBe(3);
});

test('Shift held down is one press, however long its key repeats', () => {
  const held: Press = { type: 'keydown', key: 'Shift', shiftKey: true, timeStamp: 0, repeat: true };
  const up: Press = { type: 'keyup', key: 'Shift', shiftKey: false, timeStamp: 900 };
  expect([held, held, held, up].reduce(afterPress, noPresses).count).toBe(1);
});

test('a press after more than five seconds is a first one', () => {
  expect(count([...press(1), ...press(1 + pressWithinMs)])).toBe(2);
  expect(count([...press(1), ...press(2 + pressWithinMs)])).toBe(1);
});
