/** What a plot shows. The page knows this, and not who draws it. */
export interface Drawing {
  bars: readonly Bar[];
  colour: string;
  ink: string;
  /** Columns that stand, for what comes one after the other; else rows that lie, with room for words. */
  upright: boolean;
  /** Where the scale ends, the same for plots that are compared. */
  most: number;
}

export interface Bar {
  label: string;
  least: number;
  most: number;
  /** The number, in as few letters as it can be said in. */
  value: string;
}

export type Draw = (drawing: Drawing) => string;
