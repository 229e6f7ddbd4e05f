import type { FormName } from '../../../model/form-field.ts';

/** A number for a day, a form and a choice. Nothing else of a submission may come to be in here: counts are never erased. */
export interface Count {
  kind: 'received' | 'choice' | 'hour' | 'delivered';
  /** A day in New Zealand; for hours a month. */
  period: string;
  form: FormName;
  /** The question of a choice, or ''. */
  field: string;
  /** The choice, the hour, or the seconds within which it was delivered. */
  value: string;
  count: number;
  /** Of deliveries, the slowest in seconds. */
  most: number;
}

/** A count as a database stores it. Each origin only ever counts up: of two rows of one origin the higher is right. */
export interface CountRow extends Count {
  origin: string;
}

/** A choice that somebody made at a question that is counted. */
export interface Chosen {
  field: string;
  choice: string;
}

/** Takes counts from one database to another. The same counts brought twice count once. */
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
  hours: readonly HourFigure[];
  delivered: readonly DeliveredFigure[];
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

/** By the month and not by the day: an hour of a day may identify somebody. */
interface HourFigure {
  month: string;
  form: FormName;
  hour: number;
  count: number;
}

/** How long it took until the mail had reached staff. */
interface DeliveredFigure {
  /** The day of the delivery. */
  day: string;
  form: FormName;
  /** At most so many seconds, the least of {@link deliveryBounds} that holds. */
  within: number;
  count: number;
  slowestSeconds: number;
}

/** In seconds: a minute, ten minutes, an hour, a day, and longer. */
export const deliveryBounds = [60, 600, 3600, 86_400, Number.MAX_SAFE_INTEGER] as const;
