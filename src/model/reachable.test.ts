import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isReachable, suggestEmail } from './reachable.ts';

const usable = [
  ...[
    'sample@visitor.example',
    'Sample.O+help@Gmail.com ',
    "o'sample@company.co.nz",
    'a@b.nz',
    'sample@web.de',
  ],
  ...['sample@kōwhai.nz', 'sample@ymail.com', 'sample@mail.com', 'sample@email.com', 'sample@gmx.com'],
  ...['sample@cloud.com', 'sample@life.com', 'sample@love.com', 'sample@grail.com', 'sample@extra.co.nz'],
  ...[
    'sample@yahoo.com.au',
    'sample@yahoo.co.uk',
    'sample@hotmail.fr',
    'sample@outlook.de',
    'sample@live.ca',
  ],
  ...[
    'sample@hotmail.co.za',
    'sample@vodafone.net.nz',
    'sample@orion.net.nz',
    'sample@me.com',
    'sample@msn.com',
  ],
  ...['sample@googlemail.com', 'sample@trust.org.nz', 'sample@council.govt.nz', 'sample@company.co'],
];

test.each(usable)('%s can be written to, and nothing else is suggested', (address) => {
  expect(isReachable('email', address)).toBe(true);
  expect(suggestEmail(address)).toBeUndefined();
});

const meant = {
  'sample@gmail.com': [
    ...['sample@gmail,com', 'sample@gmial', 'sample@gmail', 'sample@gmial.com', 'sample@gmal.com'],
    ...['sample@gmail.con', 'sample@gmail.co', 'sample@gmail.cm', 'sample@gmail.co.nz', 'sample@gmailcom'],
    ...['sample@gmaill.com', 'sample@gamil.com', 'Sample@Gmail .com', 'sample @gmail. com'],
    ...['sample@gmial.con', 'sample@gmail..com', 'sample@gmail.com.'],
    'sample@gmail.com please text me',
  ],
  'sample@outlook.co.nz': ['sample@outlok.co.nz', 'sample@outlook.co.mz', 'sample@outlook.conz'],
  'sample@hotmail.com': ['sample@hotmial.com', 'sample@hotmail', 'sample@hotmail.cmo'],
  'sample@xtra.co.nz': ['sample@xtra', 'sample@xtra.co.n', 'sample@xrta.co.nz', 'sample@xtra.c.nz'],
  'sample@yahoo.co.nz': ['sample@yaho.co.nz', 'sample@yahoo,co,nz'],
  'sample@proton.me': ['sample@protn.me', 'sample@proton.em'],
  'sample@live.com': ['sample@live,com', 'sample@live.con'],
  'sample@company.com': ['sample@company.con', 'sample@company.vom', 'sample@company;com'],
  'sample@company.co.nz': ['sample@company.co.mz', 'sample@company.co,nz', 'sample@company.co.nzz'],
};

describe.each(Object.entries(meant))('%s is suggested', (address, mistakes) => {
  test.each(mistakes)('for %s, which is not written to', (mistake) => {
    expect(suggestEmail(mistake)).toBe(address);
    expect(isReachable('email', mistake)).toBe(false);
  });
});

test.each([
  ...['', 'none', 'a@b@c.nz', 'sample@', '@gmail.com', 'sample@work', 'my email is sample@visitor.example'],
  ...[
    'sample@visitor.example, other@visitor.example',
    'サンプル@visitor.example',
    'none, sample@gmail.com',
    'sample@例え.example',
  ],
  ...[`${'a'.repeat(254)}@visitor.example`],
])('“%s” cannot be written to, and nothing is guessed', (address) => {
  expect(isReachable('email', address)).toBe(false);
  expect(suggestEmail(address)).toBeUndefined();
});

test.each([
  ...[
    '021 000 000',
    '021-000-0000',
    '027 0000 0000',
    '(03) 000 00 00',
    '09 000 0000',
    '0800 000 000',
    '0508000000',
  ],
  ...[
    '+64 21 000 000',
    '+64 (0)21 000 000',
    '0064 3 000 0000',
    '64 21 000 000',
    '(+64) 9 000 0000',
    '300 0000',
  ],
  ...[
    '+61 400 000 000',
    '+1 (200) 000-0000',
    '00685 000000',
    '٠٢١٠٠٠٠٠٠',
    '०२१ ००० ०००',
    '０２１ ０００ ０００',
  ],
  ...[
    '021 000 000 or 03 000 0000',
    'home: 03 000 0000 ext. 12',
    '021 000 000 x1234567',
    '021 000 000 after 5 pm',
  ],
  // Two numbers, or a number and an hour, with no word between them; another sign between the digits.
  ...['021 000 000 - 09 000 0000', '021 000 000 09 000 0000', '03 000 0000 021 000 0000'],
  ...['021 000 0000 9-5', '09 000 0000 5pm', '021 000 0000 10am to 3', 'after 5 021 000 0000'],
  ...['021/000/000', '021_000_000', '021,000,000', '021 000 000/09 000 0000', '021*000*000', '021:000 0000'],
  // Without its first zero, as a spreadsheet or an old address book has it; a letter for the zero; a number in letters.
  ...['21 000 0000', '270000000', 'O21 000 000', '0800 SAFE NOW', '0508 help-me'],
  ...['\uff0b64 21 000 000', '021\u200e000\u200e000'],
  ...['021 000 000 / 022 000 000', '\u202a+64 21 000 000\u202c', '021\u2011000\u2011000', '+ 64 21 000 000'],
])('%s can be called', (number) => {
  expect(isReachable('call', number)).toBe(true);
  expect(isReachable('text', number)).toBe(true);
});

test.each([
  ...['', 'banana', '12345678901234567890', '02155501', '021 000', '000 0000', '03 000 000', '09 000 00000'],
  ...[
    '0400 000 000',
    '+64 21 000',
    '+64 1 000 0000',
    '+12345',
    '00 000 0000',
    '012 345 6789',
    'between 9 and 10',
  ],
  ...[
    '021 000 000 000 0000',
    '9 to 5, room 12',
    '2026-11-20',
    '20/11/2026',
    '20 November 2026',
    '0800',
    '0800 no',
    '1984 0000 12',
  ],

  '٠٢١',
])('“%s” cannot be called', (number) => {
  expect(isReachable('call', number)).toBe(false);
});

test('a postal address is for a person to read', () => {
  expect(isReachable('post', 'the blue house')).toBe(true);
});

const letters = fc.constantFrom(...' .,;@@+-()0269amgilcoknz٠ō', 'gmail', '.com', '.co.nz', '\u0304', '💚');
const answers = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: letters, maxLength: 80 }));

test('whatever is written, a suggestion is another address, and one that can be written to', () => {
  fc.assert(
    fc.property(answers, (answer) => {
      for (const way of ['call', 'text', 'email', 'post'] as const)
        expect(isReachable(way, answer)).toBeTypeOf('boolean');
      const suggestion = suggestEmail(answer);
      if (suggestion === undefined) return;
      expect(suggestion).not.toBe(answer.trim());
      expect(isReachable('email', suggestion)).toBe(true);
      expect(isReachable('email', answer)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test('a long answer is judged at once', () => {
  for (const part of ['a', '@', '.', '0', ' ', 'a.', ', '])
    for (const answer of [part.repeat(20_000), `a@${part.repeat(20_000)}`])
      for (const way of ['call', 'email'] as const) expect(isReachable(way, answer)).toBe(false);
});
