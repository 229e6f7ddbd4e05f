import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { formNames } from '../../model/form-field.ts';
import { words } from './words.ts';

/** sentences.yaml, read: what is known of each sentence besides its default. The file says what each of these means. */
interface KnownSentence {
  at: string[];
  note?: string;
  short?: boolean;
  vital?: boolean;
  called?: boolean;
  needs?: Record<string, string>;
  mayBeEmpty?: boolean;
}

interface Catalogue {
  sentences: KnownSentence[];
  placeholders: Record<'everywhere' | 'privacy' | 'somewhere', Record<string, string>>;
}

export const { sentences, placeholders }: Catalogue = parse(
  readFileSync(new URL('./sentences.yaml', import.meta.url), 'utf8'),
);

const places = sentences.map((sentence) => {
  const beginnings = sentence.at.map((at) =>
    at
      .replaceAll('.', '\\.')
      .replaceAll('*', '[^.#]+')
      .replace('{form}', `(?:${formNames.join('|')})`),
  );
  return { sentence, beginning: new RegExp(`^(${beginnings.join('|')})(?![a-zA-Z])`) };
});

/** Undefined where the context is that of a value which is no sentence, such as an address. */
export const findSentence = (context: string): KnownSentence | undefined =>
  places.find(({ beginning }) => beginning.test(context))?.sentence;

type Shape<T> = { [Name in keyof T]: z.ZodType<T[Name]> };

/** The schemas of a block's sentences, under the names that the defaults have. */
export function sentencesLike<T extends object>(defaults: T, context: string): Shape<T> {
  const shape = Object.entries(defaults).map(([name, text]) => {
    const inner = `${context}.${name}`.replace(':.', ':');
    return [name, typeof text === 'string' ? sentenceAt(inner) : z.strictObject(sentencesLike(text, inner))];
  });
  return Object.fromEntries(shape) as Shape<T>;
}

function sentenceAt(context: string): z.ZodType {
  const { needs = {}, mayBeEmpty } = findSentence(context) ?? {};
  if (mayBeEmpty) return z.string({ error: "expected words, or '' for none" });
  return Object.entries(needs).reduce((schema, [names, why]) => {
    const [name] = names.split('|');
    return schema.regex(new RegExp(`\\{(${names})\\}`), `must have {${name}} in it: ${why}`);
  }, words);
}
