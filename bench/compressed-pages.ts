import { setTimeout } from 'node:timers/promises';

/** A server compresses its pages quickly at first and to their smallest a little later, which is what visitors mostly get. */
export async function waitUntilCompressed(url: string): Promise<void> {
  for (let probe = 0; probe < 600; probe++) {
    const { headers } = await fetch(`${url}/help`, {
      method: 'HEAD',
      headers: { 'accept-encoding': 'br' },
    });
    if (!headers.get('etag')?.includes('-quick')) return;
    await setTimeout(500);
  }
  throw new Error('The pages were not compressed after five minutes.');
}
