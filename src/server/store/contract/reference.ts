import { randomInt } from 'node:crypto';

/** No vowels, so no words; none of 0/O, 1/I/L, 2/Z, 5/S, 6/G, 8/B, U/V, M/N, which people mistake for each other. */
const alphabet = '34679CDFHJKPQRTWXY';

const length = 8;

/** `HK7W-3RQX`: 18^8, about 11 thousand million, drawn at random, so that it tells nothing about how many there were. */
export function createReference(): string {
  // The characters are the digits of one random number in base 18, so that all are equally likely.
  let rest = randomInt(alphabet.length ** length);
  let reference = '';
  for (let position = 0; position < length; position++) {
    if (position === length / 2) reference += '-';
    reference += alphabet[rest % alphabet.length];
    rest = Math.floor(rest / alphabet.length);
  }
  return reference;
}
