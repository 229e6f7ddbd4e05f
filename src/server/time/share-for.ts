/**
 * Runs `work` at most once in so many milliseconds, however many callers there are: they share the result, a run that is
 * still under way, and a failure.
 */
export function shareFor<T>(
  ms: number,
  work: () => Promise<T>,
  clock: () => number = () => performance.now(),
): () => Promise<T> {
  let shared: Promise<T> | undefined;
  let until = Number.POSITIVE_INFINITY;
  return () => {
    if (shared && clock() < until) return shared;
    until = Number.POSITIVE_INFINITY;
    shared = work().finally(() => {
      until = clock() + ms;
    });
    return shared;
  };
}
