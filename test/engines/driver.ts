/** What the tests ask of an engine. Everything else is made of it, once for all engines (visitor.ts). */
export interface Driver {
  /** These four do not wait for the page: a test may hold it back, and no engine reports a page from its cache. */
  goTo(address: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  forward(): Promise<void>;
  /** Runs a function in the page. It may use nothing but its arguments and the page. */
  run<Args extends unknown[], Result>(what: (...args: Args) => Result, ...args: Args): Promise<Result>;
  clickAt(point: Point): Promise<void>;
  /** Types as a keyboard does, into whatever has the focus. */
  type(words: string): Promise<void>;
  press(key: Key): Promise<void>;
  resize(size: Size): Promise<void>;
  /** Takes the network away from the page, or gives it back; in WebKit it only says so to the page. */
  setOffline(offline: boolean): Promise<void>;
  close(): Promise<void>;
}

export type Key = 'Tab' | 'Shift' | 'Enter' | 'Escape';

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export const desk: Size = { width: 1280, height: 900 };
export const phone: Size = { width: 390, height: 800 };

/** A browser, of which every test gets a window that knows nothing of the others. */
export interface EngineProcess {
  open(): Promise<Driver>;
  end(): Promise<void>;
}
