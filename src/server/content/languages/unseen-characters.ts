/** Characters that nobody sees. They hide words from a reader, or make two texts that differ look alike. */

const unseen = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** The scripts whose letters are joined or kept apart by U+200C and U+200D. */
const joining = [
  'Arab',
  'Syrc',
  'Mong',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
];
/** Scripts without spaces: U+200B is where a line may break. Their keyboards have it. */
const withoutSpaces = ['Khmr', 'Mymr', 'Laoo', 'Thai'];
const classOf = (scripts: readonly string[]) => scripts.map((one) => `\\p{scx=${one}}`).join('');
const needed = new RegExp(
  `(?<=[${classOf([...joining, 'Sinh', 'Khmr', 'Mymr'])}])[\\u200c\\u200d]|(?<=[${classOf(withoutSpaces)}])\\u200b`,
  'gu',
);

/** Whether the translation has a character that is not seen, and that neither its script needs nor the original has. */
export function hasUnseen(original: string, translation: string): boolean {
  const found = translation.replace(needed, '').match(unseen) ?? [];
  return found.some((char) => !original.includes(char));
}

/** A text as a reader sees it: wide, circled and raised letters and digits are the plain ones. */
export const asSeen = (text: string): string => text.replace(unseen, '').normalize('NFKC');
