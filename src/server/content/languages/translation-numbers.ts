import { asText } from '../../../model/phrase.ts';
import { asSeen } from './unseen-characters.ts';

/** The numbers of a translation are those of its original: people call them, and press them. */

/** Digits that are one number: with a space, a dot, a bracket, a stroke or a hyphen between their groups. */
const numbers = /\d+(?:[\s.()/\-‐‑]{1,2}\d+)*/g;
const groupsOf = (number: string): string[] => number.match(/\d+/g) ?? [];
const digitsOf = (number: string): string => number.replace(/\D/g, '');

/** From this many digits on, the groups of a number may be others, and neither fewer nor in another order. */
const phoneDigits = 6;
/** A number of fewer digits is seldom one to call. */
const calledDigits = 3;
/** Of counts that the original has in words: "three times" may be "3 times". No more, or they could be a number to call. */
const mostCounts = 2;

/** 24-hour clocks: how else the times of the original are written. */
const times = /(\d{1,2})(?:[:.](\d\d))?\s*([ap])\.?m\b/gi;
/** "Day and night" in many languages. */
const always = ['24', '7'];

/**
 * What is wrong with the numbers of a translation, as the end of a sentence.
 *
 * @param isCalled people call or press every number in it.
 */
export function findNumberMistake(
  original: string,
  translation: string,
  { isCalled }: { isCalled: boolean },
): string | null {
  const [was, is] = [withLatinDigits(original), withLatinDigits(translation)];
  const allDigits = digitsOf(is);
  const lost = numbersOf(was.replace(times, '')).find(
    (one) => (isCalled || digitsOf(one).length >= calledDigits) && !allDigits.includes(digitsOf(one)),
  );
  if (lost) return `lacks ${lost}, which the original has: people call or press it`;
  const known = findKnown(was);
  const invented = numbersOf(is).filter((one) => !isKnown(one, known));
  const isCount = (one: string) => one.length === 1;
  if (!isCalled && invented.every(isCount) && invented.length <= mostCounts) return null;
  const [first] = invented;
  return first === undefined ? null : `has ${first}, a number that the original does not have: take it out`;
}

const numbersOf = (text: string): string[] => text.match(numbers) ?? [];

/** Numbers that stand as a whole, and groups that may also stand by themselves. */
function findKnown(original: string) {
  const all = numbersOf(original);
  const groups = all.filter((one) => digitsOf(one).length < phoneDigits).flatMap(groupsOf);
  const clock = [...original.matchAll(times)].flatMap(([, hour = '', minutes = '00', half = '']) => {
    const from12 = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
    return [String(from12), String(from12).padStart(2, '0'), hour.padStart(2, '0'), minutes];
  });
  return { whole: new Set(all.map(digitsOf)), groups: new Set([...groups, ...clock, ...always]) };
}

function isKnown(number: string, { whole, groups }: ReturnType<typeof findKnown>): boolean {
  if (whole.has(digitsOf(number))) return true;
  const parts = groupsOf(number);
  return parts.length <= 2 && parts.every((one) => groups.has(one));
}

/** Digits of any script as Latin ones, without the marks that may stand between them. */
const withLatinDigits = (text: string): string => asSeen(asText(text)).replace(/\p{Nd}/gu, toLatinDigit);

/** The digits of every script follow its zero: their value is how many digits come before. */
function toLatinDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}
