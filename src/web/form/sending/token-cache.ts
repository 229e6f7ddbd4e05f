/** Keeps what `obtain` gave until it is old or discarded; asked twice meanwhile, it still obtains once. */
export function createTokenCache(
  obtain: () => Promise<string>,
  lifetimeMs: number,
  now: () => number = Date.now,
) {
  let held: { token: Promise<string>; until: number } | null = null;
  return {
    get(): Promise<string> {
      if (held && now() < held.until) return held.token;
      const taken = { token: obtain(), until: now() + lifetimeMs };
      held = taken;
      // One that failed is not kept: the next to ask tries anew.
      taken.token.catch(() => {
        if (held === taken) held = null;
      });
      return taken.token;
    },
    discard(): void {
      held = null;
    },
  };
}
