/**
 * Does something at most once in so many milliseconds, however many ask: they share the answer, also one that is still
 * being made, and also a failure.
 */
export function shareFor<T>(
  ms: number,
  work: () => Promise<T>,
  clock: () => number = () => performance.now(),
): () => Promise<T> {
  let kept: Promise<T> | undefined;
  let until = Number.POSITIVE_INFINITY;
  return () => {
    if (kept && clock() < until) return kept;
    until = Number.POSITIVE_INFINITY;
    kept = work().finally(() => {
      until = clock() + ms;
    });
    return kept;
  };
}
