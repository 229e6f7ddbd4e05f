import { randomInt } from 'node:crypto';

/** No vowels, so no words; none of 0/O, 1/I/L, 2/Z, 5/S, 6/G, 8/B, U/V, M/N, which people mistake for each other. */
const alphabet = '34679CDFHJKPQRTWXY';

const letters = 8;

/** `HK7W-3RQX`: 18^8, about 11 thousand million, drawn at random, so that it tells nothing about how many there were. */
export function createReference(): string {
  // One number for all letters: each of them a digit of it, and so as likely as any other.
  let rest = randomInt(alphabet.length ** letters);
  let reference = '';
  for (let position = 0; position < letters; position++) {
    if (position === letters / 2) reference += '-';
    reference += alphabet[rest % alphabet.length];
    rest = Math.floor(rest / alphabet.length);
  }
  return reference;
}
