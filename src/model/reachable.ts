/** Whether somebody can be reached by an answer: one rule for the form's hints, the receipt and the mail to staff. */

/** Where most people in New Zealand have their email. Not live.com, which is too like life.com and others. */
const mailboxes =
  'gmail.com outlook.com hotmail.com yahoo.com icloud.com xtra.co.nz slingshot.co.nz orcon.net.nz hotmail.co.nz outlook.co.nz yahoo.co.nz protonmail.com proton.me'.split(
    ' ',
  );

/**
 * What a reply can be addressed to: no names, comments, quotes or lists. The macrons of .nz have an ASCII form; letters of
 * other alphabets before the @ need a mail server that few trusts have.
 */
const address = /^(?!\.|.*\.[.@]|.{255})[!#-'*+/-9=?A-Z^-~.-]+@([a-zāēīōū\d-]+\.)+[a-z]{2,63}$/i;

/**
 * The digits of a number: of New Zealand, with or without its country code, or without the area code or a mobile's 0; of
 * another country with a +; or in another script, where they are only counted.
 */
const number =
  /^(((\+|00)?640?|0)(2\d{7,9}|[34679]\d{7}|(800|508)\d{5,7})|2[1-9]\d{7,8}|[2-9]\d{6}|(\+|00)(?!64|0)\d{7,15}|\+?(?!\d)\p{Nd}{7,15})$/u;

/** In doubt not: nobody shall wait for an email that cannot come, or have it read by a stranger. */
export function isReachable(way: 'call' | 'text' | 'email' | 'post', answer: string): boolean {
  if (way === 'post') return true;
  if (way === 'email') return address.test(answer.trim()) && !suggestEmail(answer);
  const written = answer.replace(/\p{Cf}/gu, '').replace(/\bo(?=\d)/gi, '0');
  // Words part two numbers, or a number and its extension.
  const numbers = written.match(/(\+\s?)?\p{Nd}[\p{Nd}\s().\p{Pd}]*/gu) ?? [];
  return numbers.some(isNumber) || written.split(/\p{L}+/u).some(hasNumber) || inLetters.test(written);
}

const isNumber = (text: string): boolean => number.test(text.replace(/[^\p{Nd}+]/gu, ''));

/** '0800 SAFE NOW'. */
const inLetters = /^\s*0(800|508)([ -]?[a-z\d]){5,8}\s*$/i;

/** Of two numbers, or a number and an hour, with no word between them; or with any sign between its digits. */
function hasNumber(text: string): boolean {
  const parts = text.match(/\+?\p{Nd}+/gu) ?? [];
  if (parts.length > 30) return false;
  return parts.some(
    (first, from) =>
      /^[+0]/.test(first) &&
      parts.some((_, to) => {
        const rest = parts.slice(to + 1).join('');
        return isNumber(parts.slice(from, to + 1).join('')) && (rest.length < 5 || isNumber(rest));
      }),
  );
}

/** The address that was most likely meant. Undefined where nothing seems wrong, and where nobody can guess. */
export function suggestEmail(answer: string): string | undefined {
  const written = answer.trim().toLowerCase();
  // No address is longer, and a long text would keep the expressions busy.
  if (written.length > 254) return undefined;
  const meant = written
    .replace(/\s*@\s*/, '@')
    .replace(/\s*[.,;]+\s*(?!.*@)/g, '.')
    .replace(/\.(con|cmo|vom|comm)$/, '.com')
    .replace(/\.co\.?(mz|nz*)$/, '.co.nz')
    // Gmail has no other ending.
    .replace(/@gmail\..*/, '@gmail.com')
    .replace(
      /[^@]+$/,
      (host) =>
        mailboxes.find((box) => box.startsWith(host) || isNear(host, box) || isNear(`${host}.com`, box)) ??
        host,
    );
  return meant !== written && /\.(com|nz|me)$/.test(meant) && address.test(meant) ? meant : undefined;
}

/** Letters in another order, one missing or one too many. The first is right, because ymail.com is another. */
const isNear = (one: string, other: string): boolean =>
  one[0] === other[0] && (sort(one) === sort(other) || isCut(one, other) || isCut(other, one));

const sort = (word: string): string => [...word].sort().join('');
const isCut = (long: string, short: string): boolean =>
  [...long].some((_, at) => long.slice(0, at) + long.slice(at + 1) === short);
