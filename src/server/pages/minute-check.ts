interface MinuteCheck {
  /** Whether the check was done in the minute of this moment. */
  isDone(at: Date): boolean;
  /** Does the check unless it was done in this minute, or waits for the one that is running. */
  run(at: Date): Promise<void>;
}

/**
 * A check that is done at a visit, at most once a minute. Not by a timer, because a clock set anew, a suspended machine
 * or the longest timeout (25 days) would mislead one.
 */
export function createMinuteCheck(check: (at: Date) => Promise<void>): MinuteCheck {
  const minuteOf = (at: Date) => Math.floor(at.getTime() / 60_000);
  let doneIn = Number.NaN;
  let running: Promise<void> | null = null;
  async function checkNow(at: Date): Promise<void> {
    try {
      await check(at);
      doneIn = minuteOf(at);
    } finally {
      running = null;
    }
  }
  return {
    isDone: (at) => minuteOf(at) === doneIn,
    async run(at) {
      if (minuteOf(at) === doneIn) return;
      running ??= checkNow(at);
      await running;
    },
  };
}
