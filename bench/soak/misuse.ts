import { globSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openConnections, pipelined, slowBody } from '../../test/support/attackers.ts';
import { mintToken } from '../../test/support/tokens.ts';
import type { Clients } from './traffic.ts';
import { post, request, submission } from './visitors.ts';

/** What weak signals, programs and attackers send in a soak. test/attack/ holds how each is answered. */

const heldMs = 20_000;
const below500 = Array.from({ length: 300 }, (_, n) => 200 + n);

const junk: [string, RequestInit][] = [
  ['/graphql', { ...post(''), body: '{' }],
  ['/graphql', submission('junk')],
  ['/help', { method: 'POST', body: 'x' }],
  ['/wp-login.php', {}],
  ['/assets/nothing.js', {}],
  ['/contact', { method: 'DELETE' }],
];

export function createMisuse(url: string, signal: AbortSignal): Record<string, Clients> {
  const [largest = ''] = globSync('content/photos/rendered/*/*').sort(
    (a, b) => statSync(b).size - statSync(a).size,
  );
  const largestPicture = largest.replace('content/photos/rendered', '/photos');
  const hold = (connections: number, bytes: string) => async () => {
    const held = await openConnections(url, connections, bytes);
    await pause(heldMs, undefined, { signal }).finally(held.end);
  };
  return {
    junk: {
      ...{ count: 2, pauseMs: 100 },
      async visit() {
        for (const [path, options] of junk) await request(url + path, { ...options, expected: below500 });
      },
    },
    'left before the response': {
      ...{ count: 4, pauseMs: 100 },
      async visit() {
        const sent = request(`${url}/graphql`, {
          ...submission(await mintToken()),
          signal: AbortSignal.timeout(5),
        });
        await sent.catch(() => {});
      },
    },
    'forms that never end': { count: 1, pauseMs: 100, visit: hold(4, slowBody) },
    'responses that nobody reads': { count: 1, pauseMs: 100, visit: hold(10, pipelined(largestPicture, 4)) },
  };
}
