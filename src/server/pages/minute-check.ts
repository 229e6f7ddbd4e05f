/**
 * A check that is done at a visit, at most once a minute. Not by a timer, which would be late after the machine was
 * suspended or its clock was set, and can wait for 25 days at most.
 */
export function createMinuteCheck(check: (at: Date) => Promise<void>) {
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
    /** Whether the check was done in the minute of this moment. */
    isDone: (at: Date): boolean => minuteOf(at) === doneIn,
    /** Does the check unless it was done in this minute, or waits for the one that is running. */
    async run(at: Date): Promise<void> {
      if (minuteOf(at) === doneIn) return;
      running ??= checkNow(at);
      await running;
    },
  };
}
