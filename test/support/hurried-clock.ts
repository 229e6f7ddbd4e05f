/** Imported before anything else: the time that cannot be set runs ten thousand times as fast. Timers keep theirs. */
const real = performance.now.bind(performance);
performance.now = () => real() * 10_000;

export const hurried: Record<string, string> = {
  NODE_OPTIONS: '--import ./test/support/hurried-clock.ts',
};
