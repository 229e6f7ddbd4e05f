import { type Meanings, questionsOfWays } from '../../model/choice-meanings.ts';
import { type Definition, type FormName, formNames } from '../../model/form-field.ts';

interface Forms {
  forms: Record<FormName, Definition>;
  meanings: Record<FormName, Meanings>;
}

/**
 * Hides the questions that belong to a way of contact until it is chosen: the number, the address, when it is safe to call.
 * `novalidate` is there from hydration on, so a page without its script shows them all, as does a browser without `:has`. A
 * question that has an answer, a problem or the focus stays shown: nothing is sent that its visitor cannot see.
 */
export function askedQuestionsCss({ forms, meanings }: Forms): string {
  return formNames.map((name) => rules(name, forms[name], meanings[name])).join('');
}

const inUse = ':checked,:focus,textarea,[type=text]:not([value=""]),[aria-invalid=true]';

function rules(form: FormName, definition: Definition, meanings: Meanings): string {
  // The hint is rendered at every question but a textarea, as a child of its outermost element.
  const hint = (key: string) => `#${form}-${key}-hint`;
  const chosen = (ways: Meanings) =>
    ways.map(({ key, choice }) => `${hint(key)}~* [value=${quoteForCss(choice)}]:checked`).join();
  const questions = questionsOfWays(definition, meanings).filter(({ ways }) => ways.length > 0);
  return [...Map.groupBy(questions, ({ ways }) => chosen(ways))]
    .map(
      ([any, hidden]) =>
        `form[novalidate]:not(:has(${any})) :has(${hidden.map(({ key }) => `>${hint(key)}`)}):not(:has(${inUse})){display:none}`,
    )
    .join('');
}

/** A choice may have any characters: all but letters, digits and spaces are escaped. */
const quoteForCss = (text: string) =>
  `"${text.replace(/[^\p{L}\p{N} ]/gu, (char) => `\\${char.codePointAt(0)?.toString(16)} `)}"`;
