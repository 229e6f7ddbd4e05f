import type { Answers } from './answers.ts';
import type { ChoiceMeaning, Definition } from './form-field.ts';
import { isReachable } from './reachable.ts';

/** The meanings of a whole form, each with the key of its question. In the page data, beside the definition. */
export type Meanings = readonly (ChoiceMeaning & { key: string })[];

export const ways = ['call', 'text', 'email', 'post'] as const;
/** A way of contact. */
export type Way = (typeof ways)[number];

/** When, and how, calling is safe. For staff alone: delivery/letter/safe-times.ts reads them. */
const isAboutCalling = (means: string | undefined): boolean => means === 'time' || means === 'no-message';

export const knownMeanings: readonly string[] = [...ways, 'none', 'urgent', 'time', 'no-message'];

/** A question with this key asks for safe ways of contact, also where its choices have no meanings. */
const safeContactKey = 'SafeContact';

export interface ChosenWay {
  /** The key of the question. */
  key: string;
  choice: string;
  way: Way;
  /** The key of the question whose answer this way needs. */
  asks: string | undefined;
  /** Why that answer cannot be used: empty, or no number or email that could work. */
  missing: false | 'empty' | 'unusable';
}

/** What a visitor's choices mean. Nothing is guessed from their words. */
export interface Understood {
  /** The form asks for safe ways of contact. */
  asked: boolean;
  ways: ChosenWay[];
  /** Choices that refuse contact. One outweighs every way that was chosen. */
  refusals: string[];
  /** Choices of a contact question without a meaning: only a person can judge their words. */
  uninterpreted: string[];
  /** Choices that make the request urgent. */
  urgent: string[];
}

export function meaningsOf(definition: Definition): Meanings {
  return definition.flatMap((field) =>
    field.type === 'checkbox'
      ? (field.meanings ?? []).map((meaning) => ({ ...meaning, key: field.key }))
      : [],
  );
}

/** The meanings that the browser needs: those about calling only where their question asks for ways of contact too. */
export function clientMeanings(meanings: Meanings): Meanings {
  const contactKeys = contactQuestionKeys(meanings);
  return meanings.filter(({ key, means }) => contactKeys.includes(key) || !isAboutCalling(means));
}

/** The questions about when, and how, it is safe to call, and about nothing else. */
export function callQuestions(definition: Definition, meanings: Meanings): Definition {
  const contactKeys = contactQuestionKeys(meanings);
  return definition.filter((field) => {
    const { key, type } = field;
    if (contactKeys.includes(key)) return false;
    if (type === 'text') return field.means === 'safeTimes';
    if (type !== 'checkbox') return false;
    const isAsked = (choice: string) =>
      meanings.some((one) => one.key === key && one.choice === choice && isAboutCalling(one.means));
    return field.choices.every(isAsked);
  });
}

/** Those that a person who chose neither a call nor a text need not see. A form with a required one could not be sent. */
export const hidableKeys = (definition: Definition, meanings: Meanings): string[] =>
  callQuestions(definition, meanings).flatMap(({ key, required }) => (required ? [] : key));

/** The questions that a page shows once one of these ways of contact is chosen. */
export function questionsOfWays(
  definition: Definition,
  meanings: Meanings,
): { key: string; ways: Meanings }[] {
  const offered = meanings.filter(({ means }) => isWay(means));
  const calls = hidableKeys(definition, meanings);
  return definition.flatMap(({ key, shown }) => {
    if (calls.includes(key))
      return { key, ways: offered.filter(({ means }) => means === 'call' || means === 'text') };
    if (shown !== 'asked') return [];
    return { key, ways: offered.filter(({ means, asks = usualKeys[means as Way] }) => asks === key) };
  });
}

export const isWay = (means: string | undefined): means is Way => ways.includes(means as Way);

/** The questions that ask for ways of contact. */
export function contactQuestionKeys(meanings: Meanings): string[] {
  const aboutContact = meanings.filter(({ means }) => isWay(means) || means === 'none');
  return [safeContactKey, ...aboutContact.map(({ key }) => key)];
}

export function understand(meanings: Meanings, answers: Answers): Understood {
  const contactKeys = contactQuestionKeys(meanings);
  const understood: Understood = {
    asked: contactKeys.some((key) => key in answers),
    ways: [],
    refusals: [],
    uninterpreted: [],
    urgent: [],
  };
  for (const [key, value] of Object.entries(answers)) {
    for (const choice of Array.isArray(value) ? value : []) {
      const { means, asks } = meanings.find((one) => one.key === key && one.choice === choice) ?? {};
      if (isWay(means))
        understood.ways.push({ key, choice, way: means, ...findNeeded(means, asks, answers) });
      else if (means === 'none') understood.refusals.push(choice);
      else if (means === 'urgent') understood.urgent.push(choice);
      else if (contactKeys.includes(key) && !isAboutCalling(means)) understood.uninterpreted.push(choice);
    }
  }
  return understood;
}

/** The way of contact that the answer to a question with a conventional key allows. */
export const wayOfKey: ReadonlyMap<string, Way> = new Map([
  ['Email', 'email'],
  ['Phone', 'call'],
]);

const usualKeys: Partial<Record<Way, string>> = { call: 'Phone', text: 'Phone', email: 'Email' };

function findNeeded(way: Way, asks = usualKeys[way], answers: Answers): Pick<ChosenWay, 'asks' | 'missing'> {
  const answer = answers[asks ?? ''];
  return { asks: answer === undefined ? undefined : asks, missing: findMissing(way, answer) };
}

/** For a form without a contact question: whether a usable email or number was given, or none was asked for. */
export function canReply(answers: Answers): boolean {
  const asked = [...wayOfKey].filter(([key]) => key in answers);
  return asked.length === 0 || asked.some(([key, way]) => !findMissing(way, answers[key]));
}

/** Why nobody can be contacted by this answer; false if somebody can. An answer to a question that the form does not ask is not missing. */
export function findMissing(way: Way, answer: unknown): ChosenWay['missing'] {
  if (typeof answer !== 'string') return false;
  if (answer.trim() === '') return 'empty';
  return isReachable(way, answer) ? false : 'unusable';
}
