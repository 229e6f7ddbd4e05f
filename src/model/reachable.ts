/** Whether somebody can be reached by an answer: one rule for the form's hints, the receipt and the mail to staff. */

/** Where most people in New Zealand have their email. */
const mailboxes =
  'gmail.com outlook.com hotmail.com yahoo.com icloud.com xtra.co.nz live.com slingshot.co.nz orcon.net.nz vodafone.co.nz hotmail.co.nz outlook.co.nz yahoo.co.nz windowslive.com protonmail.com proton.me'.split(
    ' ',
  );

/**
 * What a reply can be addressed to: no names, comments, quotes or lists. The macrons of .nz have an ASCII form; letters of
 * other alphabets before the @ need a mail server that few trusts have.
 */
const address =
  /^(?!\.|.*\.[.@]|.{255})[\w!#$%&'*+/=?^`{|}~.-]{1,64}@([a-zāēīōū\d]([a-zāēīōū\d-]{0,61}[a-zāēīōū\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/i;

/**
 * The digits of a number: of New Zealand, with or without its country code, or without the area code; of another country
 * with a +; or in another script, where they are only counted.
 */
const number =
  /^(((\+|00)?640?|0)(2\d{7,9}|[34679]\d{7}|(800|508)\d{5,7})|[2-9]\d{6}|(\+|00)(?!64|0)\d{7,15}|\+?(?!\d)\p{Nd}{7,15})$/u;

/** In doubt not: nobody shall wait for an email that cannot come, or have it read by a stranger. */
export function isReachable(way: 'call' | 'text' | 'email' | 'post', answer: string): boolean {
  if (way === 'post') return true;
  if (way === 'email') return address.test(answer.trim()) && !suggestEmail(answer);
  // Words part two numbers, or a number and its extension.
  const numbers = answer.match(/\+?\s*\p{Nd}[\p{Nd}\s().\p{Pd}]*/gu) ?? [];
  return numbers.some((one) => number.test(one.replace(/[^\p{Nd}+]/gu, '')));
}

/** The address that was most likely meant. Undefined where nothing seems wrong, and where nobody can guess. */
export function suggestEmail(answer: string): string | undefined {
  const written = answer.trim().toLowerCase();
  const [name = '', host, more] = written.replace(/[\s.,]*@[\s.,@]*/, '@').split('@');
  if (!host || more !== undefined || written.length > 254) return undefined;
  const domain = host
    .replace(/\s*[.,;]+\s*/g, '.')
    .replace(/\.$/, '')
    .replace(/\.(con|cmo|ocm|vom|xom|cim|cpm|comm|coom)$/, '.com')
    .replace(/\.co\.?(mz|nx|zn|nzz?|n)$/, '.co.nz');
  const meant = mailboxes.includes(domain) ? domain : mailboxes.find((mailbox) => isMeant(mailbox, domain));
  // Without accents, which the keyboard of another language writes by itself.
  const suggestion = `${name.normalize('NFD').replace(/\p{M}/gu, '').replace(/,/g, '.')}@${meant ?? domain}`;
  const isLikely = meant || /\.(com|net|org|nz)$/.test(domain);
  return isLikely && suggestion !== written && address.test(suggestion) ? suggestion : undefined;
}

/** Short domains such as life.com are too like others, and Gmail alone has no other ending. */
function isMeant(mailbox: string, domain: string): boolean {
  const [name = ''] = mailbox.split('.');
  if (!domain.includes('.')) return domain === name || isNear(domain, name) || isNear(domain, mailbox);
  return (mailbox.length > 8 && isNear(domain, mailbox)) || (name === 'gmail' && domain.startsWith('gmail.'));
}

/** An English keyboard, row by row. */
const keys = "qwertyuiop[asdfghjkl;'zxcvbnm,./";

/** One letter missing, too many, swapped with the next or from the key beside it. The first letter is right: ymail.com is another. */
function isNear(written: string, meant: string): boolean {
  let start = 0;
  while (start < written.length && written[start] === meant[start]) start++;
  let one = written.slice(start);
  let other = meant.slice(start);
  while (one && one.slice(-1) === other.slice(-1)) {
    one = one.slice(0, -1);
    other = other.slice(0, -1);
  }
  if (start === 0) return false;
  if (one.length + other.length < 2) return true;
  if (one.length === 2) return one === [...other].reverse().join('');
  const distance = Math.abs(keys.indexOf(one) - keys.indexOf(other));
  return one.length + other.length === 2 && [1, 10, 11].includes(distance);
}
