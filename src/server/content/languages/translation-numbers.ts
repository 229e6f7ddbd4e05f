import { asText } from '../../../model/phrase.ts';
import { findSignNumber, hanDigits, withHanAsDigits } from './number-signs.ts';
import { asSeen } from './unseen-characters.ts';

/** The numbers of a translation are those of its original: people call them, and press them. */

/** Digits that are one number: with a space, a dot, a bracket, a stroke or a hyphen between their groups. */
const numbers = /[+*#]?\d+(?:[\s.()/\-‐‑]{1,2}\d+)*/g;
/** Where people call them, other dashes and a colon do not keep two numbers apart either. A comma or a word does. */
const calledNumbers = /[+*#]?\d+(?:[\s.()/\-‐‑–—−~:_·]{1,3}\d+)*/g;
const groupsOf = (number: string): string[] => number.match(/\d+/g) ?? [];
const digitsOf = (number: string): string => number.replace(/[^\d+*#]/g, '');

/** From this many digits on, the groups of a number may be others, and neither fewer nor in another order. */
const phoneDigits = 6;
/** A number of fewer digits is seldom one to call. */
const calledDigits = 3;
/** Of counts that the original has in words: "three times" may be "3 times". No more, or they could be a number to call. */
const mostCounts = 2;
/** Beside one of these a digit is no count, but a part of a number to call. */
const besideCount = new RegExp(`(?<!\\d)\\d[${hanDigits}]|[${hanDigits}]\\d(?!\\d)`);

/** 24-hour clocks: how else the times of the original are written. */
const times = /(\d{1,2})(?:[:.](\d\d))?\s*([ap])\.?m\b/gi;
/** A placeholder that a number to call comes into, or a digit. */
const dialled = String.raw`(?:\d|\{(?:number|phone)\})`;
/**
 * "Day and night" in many languages. Right before another number, or joined to one, it could be dialled: 24-111. Behind one, "111
 * (24/7)" and "111, 24 hours" are clear.
 */
const always = new RegExp(
  String.raw`(?:(?<!${dialled}[^\p{L}\p{N}\s,;、。!?(]{0,2})(?:24\/7|7\/24)|(?<!${dialled}[^\p{L}\p{N},;、。!?(]{0,3})(?:24|7))(?![^\p{L}\p{N}{]{0,3}${dialled})`,
  'gu',
);

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
  // A year may be in Chinese signs. A number to call stays in digits that a telephone has.
  const allDigits = digitsOf(isCalled ? is : withHanAsDigits(is));
  const lost = numbersOf(was.replace(times, '')).find(
    (one) => (isCalled || digitsOf(one).length >= calledDigits) && !allDigits.includes(digitsOf(one)),
  );
  if (lost) return `lacks ${lost}, which the original has: people call or press it`;
  const known = findKnown(was);
  const sign = findSignNumber(was, is, known.whole);
  if (sign) return sign;
  // A word in its place keeps what is around it apart.
  const invented = numbersOf(is.replace(always, ' x '), isCalled ? calledNumbers : numbers).filter(
    (one) => !isKnown(one, known, isCalled),
  );
  const isCount = (one: string) => one.length === 1;
  const areCounts = invented.every(isCount) && invented.length <= mostCounts && !besideCount.test(is);
  if (!isCalled && areCounts) return null;
  const [first] = invented;
  if (first === undefined) return null;
  const parts = groupsOf(first);
  return parts.length > 1 && parts.every((one) => known.groups.has(one) || ['24', '7'].includes(one))
    ? `has ${first}, which could be called as one number: put a word or a comma between`
    : `has ${first}, a number that the original does not have: take it out`;
}

const numbersOf = (text: string, like = numbers): string[] => text.match(like) ?? [];

/** Numbers that stand as a whole, and groups that may also stand by themselves. */
function findKnown(original: string) {
  const all = numbersOf(original);
  const groups = all.filter((one) => digitsOf(one).length < phoneDigits).flatMap(groupsOf);
  const clock = [...original.matchAll(times)].flatMap(([, hour = '', minutes = '00', half = '']) => {
    const from12 = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
    return [String(from12), String(from12).padStart(2, '0'), hour.padStart(2, '0'), minutes];
  });
  const whole = [...all, ...numbersOf(original, calledNumbers)].map(digitsOf);
  return { whole: new Set(whole), groups: new Set([...groups, ...clock]), clock: new Set(clock) };
}

/** Such as 9.00-16.30. */
const timesOfDay = /^\d{1,2}([.:]\d\d)?(\s?[-–—~]\s?\d{1,2}([.:]\d\d)?)?$/;

function isKnown(number: string, { whole, groups, clock }: ReturnType<typeof findKnown>, isCalled: boolean) {
  if (whole.has(digitsOf(number))) return true;
  if (/^\D/.test(number)) return false;
  const parts = groupsOf(number);
  if (parts.length === 1) return groups.has(number);
  if (timesOfDay.test(number) && parts.every((one) => clock.has(one))) return true;
  const isRange = parts.length === 2 && parts.every((one) => one.length < calledDigits && groups.has(one));
  return !isCalled && isRange;
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
