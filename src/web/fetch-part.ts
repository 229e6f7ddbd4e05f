/**
 * Fetches a file of the script whole, so that the `import()` after it finds it in the browser's cache. Firefox never again
 * asks for a module that it once failed to get, and WebKit for one that failed as a `modulepreload`: what is lost on the way
 * may only ever be a fetch.
 */
export async function fetchPart(address: string): Promise<void> {
  const response = await fetch(address, { priority: 'low' });
  if (!response.ok) throw new Error(`${address} was answered with ${response.status}`);
  await response.text();
}
