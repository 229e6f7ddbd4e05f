/** Limits the rate of mails: a burst at once, and then one every `everyMs`. */
export function createTokenBucket(burst: number, everyMs: number, now: () => Date) {
  let tokens = burst;
  let asOf = now().getTime();
  function refill(): void {
    const at = now().getTime();
    // A clock that was set back takes no token away.
    const earned = everyMs === 0 ? burst : Math.max(0, at - asOf) / everyMs;
    tokens = Math.min(burst, tokens + earned);
    asOf = at;
  }
  return {
    available(): number {
      refill();
      return Math.floor(tokens);
    },
    take(count: number): void {
      tokens -= count;
    },
    /** Milliseconds until a token is available. */
    waitMs(): number {
      refill();
      return tokens >= 1 ? 0 : Math.ceil((1 - tokens) * everyMs);
    },
  };
}
