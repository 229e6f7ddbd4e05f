import { asText } from '../../../model/phrase.ts';
import { asSeen } from './unseen-characters.ts';

/** Letters that look like Latin ones, above those that they look like. */
const letters: readonly (readonly [string, string])[] = [
  // Cyrillic
  ['АВЕЅІЈКМНОРСТУХҮӀԚԜ', 'ABESIJKMHOPCTYXYIQW'],
  ['аеѕіјкорсухһԁԛԝӏѵ', 'aesijkopcyxhdqwlv'],
  // Greek
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ['αικνορυχγϳ', 'aikvopuxyj'],
  // Armenian
  ['ՕՍԼոսօհցյ', 'OULnuohgj'],
  // Latin, of other languages
  ['ıɑɡɩ', 'iagi'],
];
const latin = new Map(letters.flatMap(([from, to]) => [...from].map((char, at) => [char, to.charAt(at)])));

const asLatin = (text: string): string =>
  asSeen(asText(text))
    .normalize('NFD')
    .replace(/./gu, (char) => latin.get(char) ?? char)
    .replace(/\s+/g, ' ')
    .trim();
/** I, l and 1 are one stroke in many typefaces. */
const inStrokes = (text: string): string => text.replace(/[I1|]/g, 'l').replaceAll('0', 'O');

/** Whether a reader sees the same words. */
export function areAlike(one: string, other: string): boolean {
  const [a, b] = [asLatin(one), asLatin(other)];
  return a.toLowerCase() === b.toLowerCase() || inStrokes(a) === inStrokes(b);
}
