const longestWaitMs = 16_000;

/**
 * Fetches a part of the script for as long as it takes: on a weak signal the page can be read, and what is typed into
 * it stays, which a reload would take away.
 */
export async function retryUntilLoaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let waitMs = 1_000; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
