import { asText } from '../../../model/phrase.ts';
import { asSeen } from './unseen-characters.ts';

/**
 * Addresses of the web and of mail, as a reader or a browser takes them: without https:// too, in any script, and with what is filled
 * in as a part of them.
 */

/** Browsers take 。 for a dot. It also ends each sentence of Chinese and Japanese, and the next word follows without a space. */
const cjk = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}`;
/** So behind 。 only these are an address, and only as a whole word. */
const endsBehindStop = [
  ...['com', 'net', 'org', 'info', 'online', 'site', 'cn', 'tw', 'hk', 'jp', 'kr'],
  ...[
    '中国',
    '中國',
    '香港',
    '台湾',
    '台灣',
    '公司',
    '网络',
    '網絡',
    '网址',
    '網址',
    '在线',
    '公益',
    '中文网',
  ],
  ...['我爱你', 'コム', 'みんな', '한국', '닷컴', '닷넷'],
];
/** Short names are written with dots, as एन.जी.ओ. is NGO. */
const withSigns = ['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh'];
const shortName = String.raw`[${withSigns.map((one) => String.raw`\p{sc=${one}}`).join('')}]{2}(?![\p{L}\p{M}])`;

const label = String.raw`[\p{L}\p{M}\p{N}\}\-]{1,63}`;
/** What follows the last dot. Latin letters end before others: the words of the sentence may follow without a space. */
const end = String.raw`(?:[a-z]{2,}(?![\p{sc=Latin}\p{M}])|(?!${shortName})[\p{L}\p{M}]{2,})`;

const addresses = new RegExp(
  [
    String.raw`[^\s@<>\(\)]{0,64}@[^\s@<>\(\)]*[\p{L}\p{N}]`,
    String.raw`[a-z]{1,20}:\/\/[^\s<>\(\)]*[\p{L}\p{N}\/]`,
    String.raw`(?<![\p{sc=Latin}\p{N}])(?:https?|mailto):[^\s<>\(\)]*[\p{L}\p{N}]`,
    String.raw`(?<![\p{sc=Latin}\p{N}])(?:tel|sms):[\p{L}\d+][\p{L}\d]*`,
    String.raw`(?:${label}\.){1,9}${end}`,
    String.raw`[a-z\d\-]{1,63}。[a-z]{2,}`,
    String.raw`${label}。(?:(?:${endsBehindStop.join('|')})(?![\p{L}\p{M}\p{N}])|[\p{L}--[${cjk}\p{sc=Latin}]]{2,})`,
  ].join('|'),
  'giv',
);

/** An address in the translation that the original does not have. */
export function findAddress(original: string, translation: string): string | undefined {
  const known = addressesIn(original);
  return addressesIn(translation).find((one) => !known.includes(one));
}

const addressesIn = (text: string): string[] => asSeen(asText(text)).toLowerCase().match(addresses) ?? [];
