import type { Answers } from './answers.ts';
import type { ChoiceMeaning, Definition } from './form-field.ts';

/** Of a whole form: each with the key of its question. What is in here travels in the page, beside the questions. */
export type Meanings = readonly (ChoiceMeaning & { key: string })[];

const ways = ['call', 'text', 'email', 'post'] as const;
/** How somebody may be reached. */
export type Way = (typeof ways)[number];

export const knownMeanings: readonly string[] = [...ways, 'none', 'urgent'];

/** A question that is about this by its name alone, also where nobody has written down what its choices mean. */
const safeContactKey = 'SafeContact';

export interface ChosenWay {
  /** The question it was chosen at. */
  key: string;
  choice: string;
  way: Way;
  /** The key of the question that this way needs an answer to. */
  asks: string | undefined;
  /** Why that answer is of no use for it: it was left empty, or nobody can be reached by what it says. */
  missing: false | 'empty' | 'unusable';
}

/** What somebody's choices told us. Nothing in it is guessed from their words. */
export interface Understood {
  /** Whether the form asks how it is safe to reach them. */
  asked: boolean;
  ways: ChosenWay[];
  /** Choices that say not to. One is enough: it wins over every way that was chosen with it. */
  refusals: string[];
  /** Choices of such a question that have no meaning but their words: only a person can tell what they allow. */
  words: string[];
  /** Choices that make it one to read first. */
  urgent: string[];
}

export function meaningsOf(definition: Definition): Meanings {
  return definition.flatMap((field) =>
    field.type === 'checkbox'
      ? (field.meanings ?? []).map((meaning) => ({ ...meaning, key: field.key }))
      : [],
  );
}

const isWay = (means: string | undefined): means is Way => ways.includes(means as Way);

/** The questions that ask how somebody may be reached. */
export function reachingKeys(meanings: Meanings): string[] {
  const reaching = meanings.filter(({ means }) => isWay(means) || means === 'none');
  return [safeContactKey, ...reaching.map(({ key }) => key)];
}

export function understand(meanings: Meanings, answers: Answers): Understood {
  const about = reachingKeys(meanings);
  const understood: Understood = {
    asked: about.some((key) => key in answers),
    ways: [],
    refusals: [],
    words: [],
    urgent: [],
  };
  for (const [key, value] of Object.entries(answers)) {
    for (const choice of Array.isArray(value) ? value : []) {
      const { means, asks } = meanings.find((one) => one.key === key && one.choice === choice) ?? {};
      if (isWay(means))
        understood.ways.push({ key, choice, way: means, ...findNeeded(means, asks, answers) });
      else if (means === 'none') understood.refusals.push(choice);
      else if (means === 'urgent') understood.urgent.push(choice);
      else if (about.includes(key)) understood.words.push(choice);
    }
  }
  return understood;
}

/** What the answers to these questions are used for: the keys everybody uses, also where no choice asks for them. */
export const reachedBy: ReadonlyMap<string, Way> = new Map([
  ['Email', 'email'],
  ['Phone', 'call'],
]);

const usualKeys: Partial<Record<Way, string>> = { call: 'Phone', text: 'Phone', email: 'Email' };

function findNeeded(way: Way, asks = usualKeys[way], answers: Answers): Pick<ChosenWay, 'asks' | 'missing'> {
  const answer = answers[asks ?? ''];
  return { asks: answer === undefined ? undefined : asks, missing: findMissing(way, answer) };
}

/** Whether a form that asks for an email or a number, and not how to use it, was given one to answer to. */
export function isAnswerable(answers: Answers): boolean {
  const asked = [...reachedBy].filter(([key]) => key in answers);
  return asked.length === 0 || asked.some(([key, way]) => !findMissing(way, answers[key]));
}

/** The shortest number that somebody in New Zealand can be called at, without its area. */
const fewestDigits = 7;

/**
 * Whether somebody can be reached by an answer at all: an email has an @ between letters, a number has digits. No more is asked of it, so
 * that nothing unusual is turned away. A question that the form does not have is not one that was left empty.
 */
export function findMissing(way: Way, answer: unknown): ChosenWay['missing'] {
  if (typeof answer !== 'string') return false;
  if (answer.trim() === '') return 'empty';
  const digits = answer.match(/\p{Nd}/gu)?.length ?? 0;
  const usable = way === 'post' || (way === 'email' ? /[^\s@]@[^\s@]/.test(answer) : digits >= fewestDigits);
  return usable ? false : 'unusable';
}
