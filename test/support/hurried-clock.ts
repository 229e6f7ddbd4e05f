/** Imported before anything else: `performance.now()` runs ten thousand times as fast. Timers do not. */
const real = performance.now.bind(performance);
performance.now = () => real() * 10_000;

export const hurried: Record<string, string> = {
  NODE_OPTIONS: '--import ./test/support/hurried-clock.ts',
};
