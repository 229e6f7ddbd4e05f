import { setTimeout } from 'node:timers/promises';

/** A server packs its pages at their smallest a little after its start. That is how they are most of the time. */
export async function waitUntilPacked(url: string): Promise<void> {
  for (let look = 0; look < 600; look++) {
    const { headers } = await fetch(`${url}/help`, {
      method: 'HEAD',
      headers: { 'accept-encoding': 'br' },
    });
    if (!headers.get('etag')?.includes('-quick')) return;
    await setTimeout(500);
  }
  throw new Error('The pages were not packed after five minutes.');
}
