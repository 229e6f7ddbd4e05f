import { hidableKeys, type Meanings } from '../../model/choice-meanings.ts';
import { type Definition, type FormName, formNames } from '../../model/form-field.ts';

interface Forms {
  forms: Record<FormName, Definition>;
  meanings: Record<FormName, Meanings>;
}

/**
 * Hides the questions about when it is safe to call until a call or a text is chosen. In CSS, because it then works without
 * a script too. A browser without `:has` ignores the rule and shows the questions. An answer with a problem stays shown, so
 * that it can be corrected.
 */
export function callQuestionsCss({ forms, meanings }: Forms): string {
  return formNames.map((name) => rule(name, forms[name], meanings[name])).join('');
}

function rule(form: FormName, definition: Definition, meanings: Meanings): string {
  // The hint is rendered at every question, as a child of its outermost element.
  const hint = (key: string) => `#${form}-${key}-hint`;
  const ways = meanings.filter(({ means }) => means === 'call' || means === 'text');
  const questions = hidableKeys(definition, meanings).map((key) => `>${hint(key)}`);
  if (ways.length === 0 || questions.length === 0) return '';
  const chosen = ways.map(({ key, choice }) => `${hint(key)}~* [value=${quoteForCss(choice)}]:checked`);
  return `form:not(:has(${chosen})) :has(${questions}):not(:has([aria-invalid=true])){display:none}`;
}

/** A choice may have any characters: all but letters, digits and spaces are escaped. */
const quoteForCss = (text: string) =>
  `"${text.replace(/[^\p{L}\p{N} ]/gu, (char) => `\\${char.codePointAt(0)?.toString(16)} `)}"`;
