/**
 * Runs `work` at once and then `ms` after each run ends, so that runs never overlap. Returns a function that stops this,
 * and resolves when a run that is under way has ended.
 */
export function runEvery(
  ms: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  async function round(): Promise<void> {
    await work().catch(onError);
    if (ended) return;
    timer = setTimeout(() => {
      current = round();
    }, ms).unref();
  }
  let current = round();
  return () => {
    ended = true;
    clearTimeout(timer);
    return current;
  };
}
