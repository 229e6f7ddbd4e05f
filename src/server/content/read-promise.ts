const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const pattern = new RegExp(
  `\\b(\\d{1,3}|${numbers.join('|')}|an?|the next|the same)[ -](working |business |week)?(hour|day|week)s?\\b`,
  'gi',
);

/**
 * How many working days words such as 'within two working days', 'within 24 hours' or 'in one week' promise, at most. Null
 * where they promise no number, or in another language.
 */
export function readPromise(words: string): number | null {
  const promised = [...words.matchAll(pattern)].map(([, amount = '', working = '', unit = '']) => {
    const named = numbers.indexOf(amount.toLowerCase()) + 1;
    const count = /^\d+$/.test(amount) ? Number(amount) : named || 1;
    if (/hour/i.test(unit)) return Math.max(1, Math.ceil(count / 24));
    if (/week/i.test(unit)) return 5 * count;
    // Two of seven days are a weekend.
    return working ? count : count - 2 * Math.floor(count / 7);
  });
  return promised.length > 0 ? Math.max(...promised) : null;
}
