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

const capital: Step[] = [['down', 'Shift', true], ...typed('A', true), ['up', 'Shift', false]];
const both: Step[] = [
  ['down', 'Shift', true],
  ['down', 'Shift', true],
  ['up', 'Shift', true],
  ['up', 'Shift', false],
];
const releasedFirst: Step[] = [
  ['down', 'Shift', true],
  ['down', 'A', true],
  ['up', 'Shift', false],
  ['up', 'a', false],
];
const clicked: Step[] = [
  ['down', 'Shift', true],
  ['click', '', true],
  ['up', 'Shift', false],
];

test.each<[string, Step[], number]>([
  ['three presses', [...press(), ...press(), ...press()], 3],
  ['a capital letter, which starts over', [...press(), ...press(), ...capital], 0],
  ['the press after a capital letter', [...capital, ...press()], 1],
  ['Shift released before its letter', releasedFirst, 0],
  ['a click with Shift held', clicked, 0],
  ['any other key, which starts over', [...press(), ...press(), ...typed('Tab'), ...press()], 1],
  ['left and right Shift, also where they overlap', [...both, ...press()], 3],
  ['a press five seconds later', [...press(1), ...press(1 + pressWithinMs)], 2],
  ['a press after more than that', [...press(1), ...press(2 + pressWithinMs)], 1],
])('%s', (_what, steps, presses) => {
  expect(count(steps)).toBe(presses);
});

test('Shift held down is one press, however long its key repeats', () => {
  const held: Press = { type: 'keydown', key: 'Shift', shiftKey: true, timeStamp: 0, repeat: true };
  const up: Press = { type: 'keyup', key: 'Shift', shiftKey: false, timeStamp: 900 };
  expect([held, held, held, up].reduce(afterPress, noPresses).count).toBe(1);
});
