import type { Entry } from '../../../model/answers.ts';
import type { BotVerdict } from '../../../model/bot-verdict.ts';
import type { Definition, FormField } from '../../../model/form-field.ts';

/** What is stored as JSON. Each is null where it is damaged: one row that throws would take all others of its list with it. */

type Found = Record<string, unknown>;

const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is Found => typeof value === 'object' && value !== null;
const isListOf = <T>(value: unknown, isOne: (one: unknown) => one is T): value is T[] =>
  Array.isArray(value) && value.every(isOne);

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

const isMeaning = (value: unknown): value is Found =>
  isObject(value) && isText(value.choice) && [value.means, value.asks].every((one) => isText(one ?? ''));

/** A type that is unknown here is a newer version's, and no damage. */
const isField = (value: unknown): value is FormField =>
  isObject(value) &&
  [value.key, value.type, value.displayName, value.description].every(isText) &&
  (value.type !== 'checkbox' || isListOf(value.choices, isText)) &&
  isListOf(value.meanings ?? [], isMeaning);

const isEntry = (value: unknown): value is Entry =>
  isObject(value) &&
  isText(value.key) &&
  (isText(value.value) || typeof value.value === 'boolean' || isListOf(value.value, isText));

export function readDefinition(text: unknown): Definition | null {
  const found = parse(text);
  return isListOf(found, isField) ? found : null;
}

export function readEntries(text: unknown): Entry[] | null {
  const found = parse(text);
  return isListOf(found, isEntry) ? found : null;
}

export function readVerdict(text: unknown): BotVerdict | null {
  const found = parse(text);
  const isWhole =
    isObject(found) && isText(found.kind) && (found.kind !== 'no-script' || isListOf(found.doubts, isText));
  return isWhole ? (found as BotVerdict) : null;
}
