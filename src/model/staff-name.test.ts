import { expect, test } from 'vitest';
import { readStaffName } from './staff-name.ts';

test('initials and first names of any script are taken, without the space around them', () => {
  for (const name of ['AB', 'Mere', 'Hōne', "O'Brien", 'Ana-Lise', 'J. R.', '美玲', 'AB 2', 'A'.repeat(20)])
    expect(readStaffName(` ${name}\t`)).toBe(name);
  // A macron that was typed as a letter and a mark is one letter.
  expect(readStaffName(`${'o\u0304'.repeat(20)}`)).toBe('ō'.repeat(20));
});

test('what is no name is refused', () => {
  for (const text of ['', '  ', '12', '-', 'A'.repeat(21), 'a@b.nz', '<b>', 'AB\u202eCD', 'A\u0000B', '🌼'])
    expect(readStaffName(text)).toBeNull();
});
