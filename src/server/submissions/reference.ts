import { randomInt } from 'node:crypto';

/** No vowels, so no words; none of 0/O, 1/I/L, 2/Z, 5/S, 6/G, 8/B, U/V, M/N, which people mistake for each other. */
const alphabet = '34679CDFHJKPQRTWXY';

/** `HK7W-3RQX`: 18^8, about 11 thousand million, drawn at random, so that it tells nothing about how many there were. */
export function createReference(): string {
  const draw = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${draw()}-${draw()}`;
}
