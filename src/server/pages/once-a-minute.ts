export interface OnceAMinute {
  /** It was done in the minute of this moment. */
  isDone(at: Date): boolean;
  /** Does it unless it was done in this minute. Whoever comes while it is being done waits for it. */
  run(at: Date): Promise<void>;
}

/**
 * What must be looked at over months, at a visit and not by a timer: a clock set anew, a suspended machine or the longest
 * timeout (25 days) cannot mislead it.
 */
export function onceAMinute(look: (at: Date) => Promise<void>): OnceAMinute {
  const minuteOf = (at: Date) => Math.floor(at.getTime() / 60_000);
  let doneIn = Number.NaN;
  let running: Promise<void> | null = null;
  async function lookNow(at: Date): Promise<void> {
    try {
      await look(at);
      doneIn = minuteOf(at);
    } finally {
      running = null;
    }
  }
  return {
    isDone: (at) => minuteOf(at) === doneIn,
    async run(at) {
      if (minuteOf(at) === doneIn) return;
      running ??= lookNow(at);
      await running;
    },
  };
}
