import { callQuestions, contactQuestionKeys, meaningsOf } from '../../../model/choice-meanings.ts';
import { type Definition, type FormName, formNames } from '../../../model/form-field.ts';
import { forms as formEntries } from '../../../model/forms.ts';
import { findSentence } from '../catalogue.ts';
import type { OwnPageSource } from '../own-pages.ts';
import type { Sentence } from './sentences.ts';
import { noteFor } from './translator-note.ts';

/** The original as the translations need it: as it was written, before the schemas have changed it. */
export interface Original {
  /** The language's tag. */
  tag: string;
  /** site.yaml and helplines.yaml over the defaults. */
  site: unknown;
  helplines: unknown;
  forms: Record<FormName, { definition: Definition }>;
  ownPages: readonly OwnPageSource[];
  pictures: readonly { file: string; alt: string }[];
}

/** A function that is given each sentence with its context, and returns the words to show. */
export type Translate = (context: string, text: string) => string;

/** Nothing, or a placeholder alone. */
const hasNoWords = /^\s*(\{[a-zA-Z]+\})?\s*$/;

/** A copy of a tree with each sentence in it translated. A place in a list is not part of the path, and follows it after a #. */
export function translateTree(file: 'site' | 'helplines', tree: unknown, translate: Translate): unknown {
  const visit = (value: unknown, path: string, place: string): unknown => {
    if (Array.isArray(value))
      return value.map((one, index) => visit(one, path, `${place}${place ? '.' : '#'}${index + 1}`));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [
          name,
          visit(one, path ? `${path}.${name}` : name, place),
        ]),
      );
    const context = `${file}:${path}${place}`;
    const isSentence = typeof value === 'string' && !hasNoWords.test(value) && findSentence(context);
    return isSentence ? translate(context, value) : value;
  };
  return visit(tree, '', '');
}

/** The questions and choices of a form, with the labels of the choices beside the words that are posted. */
export function translateDefinition(
  form: FormName,
  definition: Definition,
  translate: Translate,
): Definition {
  return definition.map((field) => {
    const context = `${form}:${field.key}`;
    const words = {
      displayName: translate(`${context}.displayName`, field.displayName),
      description: field.description && translate(`${context}.description`, field.description),
    };
    if (field.type !== 'checkbox') return { ...field, ...words };
    const choiceLabels = field.choices.map((choice, index) => {
      const means = field.meanings?.find((one) => one.choice === choice)?.means;
      return translate(`${context}.choices${means ? `.${means}` : `#${index + 1}`}`, choice);
    });
    return { ...field, ...words, choiceLabels };
  });
}

export const pageContext = (name: string, part: string) => `page:${name}${part}`;
export const pictureContext = (file: string) => `photos:${file}`;

/** Every sentence that visitors read, once, in the order in which they meet it. */
export function gatherSentences(original: Original): Sentence[] {
  const found = new Map<string, Sentence>();
  const isNeeded = createIsNeeded(original);
  const add: Translate = (context, text) => {
    const key = keyOf(context, text);
    if (!found.has(key))
      found.set(key, { context, text, note: noteFor(context, text), isNeeded: isNeeded(context) });
    return text;
  };
  translateTree('helplines', original.helplines, add);
  const translateForms = (mayBeInDanger: boolean) => {
    for (const form of formNames)
      if (formEntries[form].mayBeInDanger === mayBeInDanger)
        translateDefinition(form, original.forms[form].definition, add);
  };
  translateForms(true);
  translateTree('site', original.site, add);
  translateForms(false);
  for (const { name, head, blocks } of original.ownPages) {
    for (const [part, text = ''] of Object.entries(head)) if (text) add(pageContext(name, `.${part}`), text);
    for (const [index, block] of blocks.entries()) add(pageContext(name, `#${index + 1}`), block);
  }
  for (const { file, alt } of original.pictures) add(pictureContext(file), alt);
  return [...found.values()];
}

/** The key of a translation: the context without the place in a list, and the original's words. */
export const keyOf = (context: string, text: string): string =>
  `${contextWithoutPlace(context)}\u0004${text}`;
export const contextWithoutPlace = (context: string): string => context.replace(/#[\d.]+$/, '');

/** Whether the language is withdrawn without this sentence: a vital one, or one about how a person may be reached. */
function createIsNeeded({ forms }: Original): (context: string) => boolean {
  const needed = formNames.flatMap((form) => {
    if (!formEntries[form].mayBeInDanger) return [];
    const { definition } = forms[form];
    const meanings = meaningsOf(definition);
    const keys = [
      ...contactQuestionKeys(meanings),
      ...callQuestions(definition, meanings).map(({ key }) => key),
      ...meanings.flatMap(({ asks }) => asks ?? []),
    ];
    return keys.map((key) => `${form}:${key}.`);
  });
  return (context) =>
    findSentence(context)?.vital === true || needed.some((start) => context.startsWith(start));
}

/** Which form a context belongs to. */
export const isChoice = (context: string): boolean =>
  formNames.some((name) => context.startsWith(`${name}:`)) && /\.choices(\.|#|$)/.test(context);
