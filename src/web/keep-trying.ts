/** On the page's root while a part of its script is missing. A form then says so (form/NotReady.tsx). */
const notReady = 'not-ready';
const longestWaitMs = 16_000;

/**
 * Fetches a part of the script for as long as it takes: on a weak signal the page can be read, and what is typed into
 * it stays, which a reload would take away.
 */
export async function keepTrying<Part>(load: () => Promise<Part>): Promise<Part> {
  const { classList } = document.documentElement;
  for (let waitMs = 1_000; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      const part = await load();
      classList.remove(notReady);
      return part;
    } catch {
      classList.add(notReady);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
