const longestWaitMs = 16_000;

/** Retries for ever with backoff: meanwhile the page can be read and filled in, and a reload would lose the answers. */
export async function retryUntilLoaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let waitMs = 1_000; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
