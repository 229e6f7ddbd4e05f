/** Does something at once and then every so often, never twice at a time. Returns a function that ends it. */
export function runEvery(
  ms: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  async function round(): Promise<void> {
    await work().catch(onError);
    if (!ended) timer = setTimeout(round, ms).unref();
  }
  void round();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
