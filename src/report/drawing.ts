/** What a plot shows. The page does not know the library that draws it. */
export interface Drawing {
  bars: readonly Bar[];
  colour: string;
  ink: string;
  /** Columns, for a series in time; otherwise rows, which have room for words. */
  upright: boolean;
  /** The end of the scale, the same for plots that are compared. */
  most: number;
}

interface Bar {
  label: string;
  least: number;
  most: number;
  /** The number in as few characters as possible. */
  value: string;
}

export type Draw = (drawing: Drawing) => string;
