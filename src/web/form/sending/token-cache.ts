/** Caches one token until it expires or is discarded. Concurrent callers share one request. */
export function createTokenCache(
  obtain: () => Promise<string>,
  lifetimeMs: number,
  now: () => number = Date.now,
) {
  let cached: { token: Promise<string>; until: number } | null = null;
  return {
    get(): Promise<string> {
      if (cached && now() < cached.until) return cached.token;
      const entry = { token: obtain(), until: now() + lifetimeMs };
      cached = entry;
      // A failure is not cached: the next caller tries again.
      entry.token.catch(() => {
        if (cached === entry) cached = null;
      });
      return entry.token;
    },
    discard(): void {
      cached = null;
    },
  };
}
