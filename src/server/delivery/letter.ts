import type { AnswerValue, Entry } from '../../model/answers.ts';
import { meaningsOf, type Understood, type Way } from '../../model/choice-meanings.ts';
import type { FormField } from '../../model/form-field.ts';
import type { BotVerdict, Doubt } from '../bot-check/bot-check.ts';
import { sayNzTime } from '../nz-time.ts';
import type { StoredSubmission } from '../submissions/stored-submission.ts';
import { printable } from './printable.ts';
import { understandSubmission } from './safe-contact.ts';

/** What a mail says, before it is set as text, as HTML or on a terminal. */
export interface Letter {
  title: string;
  /** That there is nothing to do. The first sentence is the one to see. */
  well?: string[];
  /** Why it is to be read before all others, above even the warning. */
  urgent: string[];
  /** What nobody may miss, above everything else. The first sentence is the one to shout. */
  warning: string[];
  /** What else to know before reading. */
  notes: string[];
  facts: [label: string, value: string][];
  answers: { question: string; answer: string | null }[];
}

/** The same for both forms, except for what staff call the thing they got. */
const nouns = { help: 'request', contact: 'message' } as const;

export function nounFor(form: StoredSubmission['form']): string {
  return nouns[form];
}

export function writeLetter(submission: StoredSubmission, formTitle: string): Letter {
  const { form, reference, receivedAt, verdict, answers, definition } = submission;
  const understood = understandSubmission(submission);
  return {
    title: `New ${nounFor(form)} from the ${formTitle} form`,
    urgent: hurry(submission, understood),
    warning: warn(understood, submission),
    notes: [...describeWays(understood), ...describeVerdict(verdict), ...describeSeal(submission)],
    facts: [
      ['Reference', reference],
      ['Received', `${sayNzTime(receivedAt)} (New Zealand time)`],
    ],
    answers: Array.isArray(answers) ? definition.map((field) => answerTo(field, answers)) : [],
  };
}

function answerTo(field: FormField, answers: readonly Entry[]): { question: string; answer: string | null } {
  const value = answers.find(({ key }) => key === field.key)?.value;
  // On the page too, a textarea is asked with its description.
  const question = field.type === 'textarea' ? field.description : field.displayName;
  return { question: printable(question), answer: sayAnswer(value) };
}

/** Null where nothing was answered. */
export function sayAnswer(value: AnswerValue | undefined): string | null {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(printable).join('\n');
  return value === undefined || value.trim() === '' ? null : printable(value);
}

function hurry({ delivery }: StoredSubmission, understood: Understood | null): string[] {
  if (!delivery.urgent) return [];
  const why = understood
    ? `They chose ${quote(understood.urgent)}.`
    : 'They chose what your form calls urgent.';
  return ['URGENT', `${why} Please read this one first.`];
}

function warn(understood: Understood | null, { form, definition }: StoredSubmission): string[] {
  if (!understood)
    return [
      'DO NOT REPLY TO THIS EMAIL.',
      'The answers are sealed. Open them first: they say whether, and how, it is safe to reach this person.',
    ];
  const { asked, ways, refusals, words } = understood;
  if (refusals.length > 0)
    return [
      'DO NOT CONTACT THIS PERSON.',
      'Do not reply to this email, do not write, call or text. They asked us not to, and will contact us themselves. Somebody else may see what we send.',
      ...quoteBoth(refusals, [...ways.map(({ choice }) => choice), ...words]),
    ];
  if (!asked && form === 'contact') return [];
  if (ways.some(({ way }) => way === 'email')) return quoteUnclear(words);
  // The form of an earlier version, or of a trust that wrote no meanings: their words may be the very ones for email.
  const isEmailKnown = meaningsOf(definition).some(({ means }) => means === 'email');
  if (words.length > 0 && !isEmailKnown)
    return [
      'DO NOT REPLY BEFORE YOU HAVE READ THIS.',
      `They chose: ${quote(words)}. Do exactly as these words say, and nothing else.`,
    ];
  return [
    'DO NOT REPLY TO OR EMAIL THIS PERSON.',
    'They did not say that email is safe. Somebody else may read it.',
    ...quoteUnclear(words),
  ];
}

const quote = (choices: readonly string[]) => choices.map((choice) => `“${printable(choice)}”`).join(' and ');

/** Both were ticked, and only they know why: we go by the safer one, and say what else there was. */
function quoteBoth(refusals: readonly string[], others: readonly string[]): string[] {
  if (others.length === 0) return [];
  return [`They chose ${quote(refusals)}, and also ${quote(others)}. We go by the safer one.`];
}

/** Word for word, because we know of no other meaning. */
function quoteUnclear(choices: readonly string[]): string[] {
  if (choices.length === 0) return [];
  return [
    'READ THIS BEFORE YOU REACH THIS PERSON.',
    `They chose: ${quote(choices)}. Do exactly as these words say.`,
  ];
}

const needs: Record<Way, string> = {
  call: 'number',
  text: 'number',
  email: 'email address',
  post: 'address',
};

function describeWays(understood: Understood | null): string[] {
  if (!understood || understood.refusals.length > 0 || understood.ways.length === 0) return [];
  const { ways, words } = understood;
  const safe = ways.map(({ choice }) => printable(choice)).join(', ');
  const missing = ways.filter(({ missing }) => missing);
  const reachable = words.length > 0 || missing.length < ways.length;
  return [
    `Safe ways to reach this person: ${safe}. Please use no other.`,
    ...missing.map(({ choice, way }) => `They chose ${printable(choice)} but gave no ${needs[way]}.`),
    ...(reachable
      ? []
      : ['So there is no safe way to reach them. Please be ready for when they contact us.']),
  ];
}

function describeVerdict(verdict: BotVerdict): string[] {
  switch (verdict.kind) {
    case 'clean':
      return [];
    case 'low-score':
      return [
        `The bot check was not sure that a person sent this (${verdict.score} on a scale from 0, a program, to 1, a person). Please treat it as real until you know better.`,
      ];
    case 'unverified':
      return [
        'The bot check could not be reached when this was sent, so nothing is known about who sent it. Please treat it as real until you know better.',
      ];
    case 'many':
      return [
        'Unusually many forms came from the same internet address just before this one: a program, or many people behind one connection, such as a refuge or a library. Please treat it as real until you know better.',
      ];
    case 'no-script':
      return [
        [
          'This was sent without a script, so there was no bot check: an old phone, a weak signal, or a program.',
          ...verdict.doubts.map((doubt) => doubts[doubt]),
          'Please treat it as real until you know better.',
        ].join(' '),
      ];
  }
}

const doubts: Record<Doubt, string> = {
  trap: 'A field that people do not see was filled in, as programs do, and now and then a browser that fills in forms.',
  quick: 'It came back within a second or two of being opened, which is faster than people write.',
  old: 'The page it was sent from is more than a day old.',
  undated: 'The page it was sent from does not say when it was opened.',
  many: 'Unusually many came in that way just before it.',
};

function describeSeal({ answers, reference }: StoredSubmission): string[] {
  if (Array.isArray(answers)) return [];
  return [
    `The answers are in the attached file, sealed. Whoever holds the private key opens it on their own computer with the page reader.html, which ./awhina open --make-reader reader.html writes, or with any age program: age --decrypt --identity FILE ${reference}.age`,
  ];
}
