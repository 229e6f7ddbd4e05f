import { expect, test } from 'vitest';
import { readStaffName } from './staff-name.ts';

test('initials and first names of any script are taken, without the space around them', () => {
  for (const name of [
    'AB',
    'Mere',
    'Hōne',
    "O'Brien",
    'Ana-Lise',
    'J. R.',
    '美玲',
    'น้ำฝน',
    'ကျော်ဝင်း',
    'AB 2',
    'A'.repeat(20),
  ])
    expect(readStaffName(` ${name}\t`)).toBe(name);
  // A macron that was typed as a letter and a mark is one letter.
  expect(readStaffName(`${'o\u0304'.repeat(20)}`)).toBe('ō'.repeat(20));
});

test('what is no name is refused', () => {
  for (const text of ['', '  ', '12', '-', 'A'.repeat(21), 'a@b.nz', '<b>', 'AB\u202eCD', 'A\u0000B', '🌼'])
    expect(readStaffName(text)).toBeNull();
});

test('a name that cannot be seen, or that covers the lines around it, is refused', () => {
  for (const invisible of ['\u3164', '\u115f', '\uffa0', '\u17b4', '\u034f', '\ufe0f', '\u{e0100}'])
    for (const text of [invisible, `A${invisible}B`]) expect(readStaffName(text)).toBeNull();
  expect(readStaffName(`A${'\u0335'.repeat(3)}`)).toBeNull();
  expect(readStaffName(`A${'\u0335'.repeat(2)}`)).not.toBeNull();
});
