import type { FormName } from '../../../model/form-field.ts';

/**
 * A number for a day, a form and a choice or a language. Nothing else of a submission may be stored here: counts are never
 * erased. 'unseen': erased on that day although nobody had seen it. 'unseen confirmed': `most` is how many of these somebody
 * knows of, so that whoever confirms the same ones again confirms nothing more.
 */
export interface Count {
  kind:
    | 'received'
    | 'choice'
    | 'language'
    | 'hour'
    | 'delivered'
    | 'answered'
    | 'unseen'
    | 'unseen confirmed';
  /** A day in New Zealand; for hours a month. */
  period: string;
  form: FormName;
  /** The question of a choice, or ''. */
  field: string;
  /** The choice, the tag of the language, the hour, or one of {@link deliveryBounds} or {@link answerBounds}. */
  value: string;
  count: number;
  /** How many seconds the slowest delivery took; how many losses are confirmed; 0 for other kinds. */
  most: number;
}

/** A count as a database stores it. An origin only ever counts up: of two rows of one origin the higher is right. */
export interface CountRow extends Count {
  /** A random name for the database that counted; it gets a new one when its counts are transferred away. */
  origin: string;
}

/** A choice that somebody made at a question that is counted. */
export interface CountedChoice {
  field: string;
  choice: string;
}

/** Transfers counts from one database to another. Counts that are transferred twice count once. */
export interface CountTransfer {
  readCounts(): Promise<CountRow[]>;
  mergeCounts(rows: readonly CountRow[]): Promise<void>;
}

/**
 * What is counted of submissions. The figures outlive the submissions, because they identify nobody: a number for a day,
 * a form and a choice, and nothing of which choices were made together.
 */
export interface FigureSource {
  /** Both days included, as in New Zealand: '2026-07-01'. Each list is in the order of its days or months. */
  readFigures(from: string, to: string): Promise<Figures>;
}

export interface Figures {
  received: readonly ReceivedFigure[];
  choices: readonly ChoiceFigure[];
  languages: readonly LanguageFigure[];
  hours: readonly HourFigure[];
  delivered: readonly DeliveredFigure[];
  answered: readonly AnsweredFigure[];
}

interface ReceivedFigure {
  day: string;
  form: FormName;
  count: number;
}

/** How often a choice was made at a question that the content marks as counted. */
interface ChoiceFigure {
  month: string;
  form: FormName;
  /** The question and the choice, as the answers have them. */
  field: string;
  choice: string;
  count: number;
}

/** How often a form was read in a translation. What was read in the original has no figure. */
interface LanguageFigure {
  day: string;
  form: FormName;
  /** The tag. */
  language: string;
  count: number;
}

/** By the month and not by the day: an hour of a day may identify somebody. */
interface HourFigure {
  month: string;
  form: FormName;
  hour: number;
  count: number;
}

/** How long it took until a mail server accepted the mail. */
interface DeliveredFigure {
  /** The day of the delivery. */
  day: string;
  form: FormName;
  /** In seconds: the smallest of {@link deliveryBounds} that the deliveries did not exceed. */
  within: number;
  count: number;
  slowestSeconds: number;
}

/** How long people waited until they were answered for the first time. */
interface AnsweredFigure {
  /** The day of the answer. */
  day: string;
  form: FormName;
  /** In seconds: the smallest of {@link answerBounds} that was not exceeded. */
  within: number;
  count: number;
}

/** In seconds: a minute, ten minutes, an hour, a day, and longer. */
export const deliveryBounds = [60, 600, 3600, 86_400, Number.MAX_SAFE_INTEGER] as const;

const hour = 3600;
const day = 24 * hour;
/** In seconds, from one hour to four weeks, and longer: half of the people, and nine in ten, were answered within one of them. */
export const answerBounds = [
  ...[hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour],
  ...[day, 2 * day, 3 * day, 4 * day, 5 * day, 7 * day, 14 * day, 28 * day],
  Number.MAX_SAFE_INTEGER,
] as const;
