import { findExample } from '../example-words.ts';
import { readArticle } from '../markdown.ts';
import { findAddress } from './translation-addresses.ts';
import { hasUnseen } from './unseen-characters.ts';

/** What is wrong with a translation, so that it cannot be shown. Null where nothing is. */
export function findMistake(original: string, translation: string): string | null {
  // First, because the time of other checks grows faster than the length.
  if (translation.length > 4 * original.length + 200)
    return 'is much longer than the original: is it the right sentence?';
  const [had, has] = [placeholdersOf(original), placeholdersOf(translation)];
  const lost = had.find((name) => !has.includes(name));
  const invented = has.find((name) => !had.includes(name));
  if (lost) return `lacks ${lost}, which the original has: put it where it belongs`;
  if (invented) return `has ${invented}, which the original does not have: take it out`;
  if (hasBrokenMark(translation))
    return 'has a mark that is not whole: words of another language are written {mi:Nau mai}, with both braces';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  const hasControl = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\ufffd]/.test(translation);
  if (hasControl || hasUnseen(original, translation))
    return 'has a sign that cannot be seen or read: type the sentence again';
  if (/<\/?[a-z!]/i.test(translation) && !/<\/?[a-z!]/i.test(original))
    return 'has HTML, which would be shown as it is written: take it out';
  const example = findExample(translation);
  if (example && !findExample(original))
    return `has “${example}”, which is the example's: put your own in its place`;
  const address = findAddress(original, translation);
  if (address)
    return `has ${address}, an address that the original does not have: take it out, or put a space between the words`;
  return null;
}

const placeholdersOf = (text: string): string[] => [...new Set(text.match(/\{[a-zA-Z]+\}/g))];

/** Braces that are left when placeholders and whole marks are taken out, from the inside to the outside. */
function hasBrokenMark(text: string): boolean {
  let rest = text.replace(/\{[a-zA-Z]+\}/g, '');
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(/\{[a-z]{2,3}(-[A-Za-z0-9]{1,8})*:[^{}]+\}/g, '');
  }
  return /[{}]/.test(rest);
}

/** What is wrong with a translated block of an own page, beyond what can be wrong with any sentence. */
export function findBlockMistake(original: string, translation: string): string | null {
  const [was, is] = [readArticle(original, 0), readArticle(translation, 0)];
  if (is.blocks.length !== 1 || was.blocks[0]?.kind !== is.blocks[0]?.kind)
    return 'is not one piece of the same kind as the original: keep the signs at the beginning of the lines, and leave no line empty';
  const [mistake] = is.mistakes;
  if (mistake) return mistake.message;
  const linksOf = (text: string) => (text.match(/\]\(([^)]*)\)/g) ?? []).toSorted().join(' ');
  return linksOf(original) === linksOf(translation)
    ? null
    : 'has other links than the original: keep the address of each in its round brackets';
}
