import type { FormName } from '../../model/form-field.ts';

/**
 * What is counted of requests. It outlives them, because it tells of nobody: a number for a day, a form and a choice, and
 * nothing of which choices were made together.
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

export interface ReceivedFigure {
  day: string;
  form: FormName;
  count: number;
}

/** How often a choice of a question that the content marks as counted was made. */
export interface ChoiceFigure {
  month: string;
  form: FormName;
  /** The question and the choice, as the answers have them. */
  field: string;
  choice: string;
  count: number;
}

/** By the month, and not by the day: an hour of a day may tell who it was. */
export interface HourFigure {
  month: string;
  form: FormName;
  hour: number;
  count: number;
}

/** How long it took until the mail had reached staff. */
export interface DeliveredFigure {
  /** Of the delivery. */
  day: string;
  form: FormName;
  /** At most so many seconds, the least of {@link deliveryBounds} that holds. */
  within: number;
  count: number;
  slowestSeconds: number;
}

/** A minute, ten minutes, an hour, a day, and longer. */
export const deliveryBounds = [60, 600, 3600, 86_400, Number.MAX_SAFE_INTEGER] as const;
