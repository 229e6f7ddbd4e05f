/**
 * The environment of a server whose clock is wrong. Apart from the modules that change the clocks, because a test that
 * imported those would change its own.
 */

/** By so many milliseconds, and by `jumpMs` more on SIGUSR2. */
export const wrongBy = (ms: number, jumpMs = 0): Record<string, string> => ({
  NODE_OPTIONS: '--import ./test/support/shifted-clock.ts',
  CLOCK_SHIFT_MS: String(ms),
  CLOCK_JUMP_MS: String(jumpMs),
});

export const hurried: Record<string, string> = {
  NODE_OPTIONS: '--import ./test/support/hurried-clock.ts',
};
