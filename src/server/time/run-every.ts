/**
 * Does something at once and then every so often, never twice at a time. Returns a function that ends it, and resolves
 * when what is being done is done.
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
