/** Signs that a reader takes for digits, and that are none to a program: they would hide a number to call. */

/** From 0 to 9, as they stand in the place of digits: also those for cheques, and the 1 that is said on the telephone. */
const digitsOfHan = [
  '〇零○◯',
  '一壹幺',
  '二贰貳',
  '三叁參',
  '四肆',
  '五伍',
  '六陆陸',
  '七柒',
  '八捌',
  '九玖',
];
export const hanDigits = digitsOfHan.join('');
/** Two of them are ordinary words: 三四天 is three or four days. */
const hanNumber = new RegExp(`[${hanDigits}](?:[\\s.()/\\-‐‑–—、,·]{0,2}[${hanDigits}]){2,}`, 'g');
const toDigit = (char: string): string => {
  const value = digitsOfHan.findIndex((chars) => chars.includes(char));
  return value < 0 ? '' : String(value);
};
const asDigits = (number: string): string => number.replace(/./gsu, toDigit);
export const withHanAsDigits = (text: string): string => text.replace(hanNumber, asDigits);

/** Letters that look like 1 or 0: of Latin, Greek and Cyrillic, clicks, the Hebrew stroke, and the Arabic alef. */
const alike = String.raw`lIO|\u0399\u0406\u04c0\u04cf\u01c0\u05c0\u0627`;
/**
 * As in 9ll. One behind a digit may be a unit, such as 3 l. One Chinese stroke keeps two numbers apart. The long sound of
 * Japanese is none of them: two are a dash.
 */
const likeDigits = new RegExp(
  String.raw`\d[${alike}]{1,9}\d|\d[${alike}\u4e28]{2,9}|[${alike}\u4e28]{2,9}\d`,
  'g',
);

/**
 * What is wrong with such signs in a translation, as the end of a sentence.
 *
 * @param known the digits of the original's numbers.
 */
export function findSignNumber(original: string, translation: string, known: ReadonlySet<string>) {
  const han = translation.match(hanNumber)?.find((one) => !known.has(asDigits(one)));
  if (han)
    return `has ${han}, which could be called as a number that the original does not have: use other words`;
  const signs = translation.replaceAll('〇', '').match(/[\p{No}\p{Nl}]/gu) ?? [];
  const sign = signs.find((one) => !original.includes(one)) ?? findLikeDigits(original, translation);
  return sign
    ? `has ${sign}, which could be read as a number that the original does not have: take it out, or write ordinary digits`
    : null;
}

const findLikeDigits = (original: string, translation: string) =>
  translation.match(likeDigits)?.find((one) => !original.includes(one));
