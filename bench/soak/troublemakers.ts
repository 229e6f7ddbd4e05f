import { globSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { pipelined, slowBody } from '../../test/support/attackers.ts';
import { mintToken } from '../../test/support/tokens.ts';
import { openLean, wireRequest } from '../lean-client.ts';
import { readReference, submission } from './visits.ts';

/** What weak signals, programs and bad manners do in a soak. All of it is bounded, and the server stays the same. */

export interface Trouble {
  atOnce: number;
  /** Once. Rejects where the server did what it should not have. */
  make(): Promise<void>;
}

/** Twice what the server gives a request that is not wholly here. */
const patienceMs = 60_000;
/** For so long somebody does not read what they asked for. */
const unreadMs = 20_000;
const largest = () =>
  globSync('content/photos/rendered/*/*')
    .sort((a, b) => statSync(b).size - statSync(a).size)[0]
    ?.replace('content/photos/rendered', '/photos') ?? '/';

const junk = [
  wireRequest('POST', '/graphql', { 'Content-Type': 'application/json' }, '{'),
  wireRequest('POST', '/graphql', { 'Content-Type': 'application/json' }, 'x'.repeat(100_000)),
  wireRequest('POST', '/help', { 'Content-Type': 'text/plain' }, 'x'),
  wireRequest('GET', '/wp-login.php', {}),
  wireRequest('GET', '/assets/nothing.js', {}),
  wireRequest('DELETE', '/contact', {}),
  'NONSENSE\r\n\r\n',
];

export function createTroublemakers(
  url: string,
  keep: (reference: string) => void,
  leaving: AbortSignal,
): Record<string, Trouble> {
  const open = () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    const leave = () => void socket.destroy();
    leaving.addEventListener('abort', leave);
    socket.on('close', () => leaving.removeEventListener('abort', leave));
    return socket;
  };
  /** Ends early when all leave. */
  const wait = (ms: number) => pause(ms, 'late', { signal: leaving }).catch(() => 'leaving');
  const largestPicture = largest();

  return {
    junk: {
      atOnce: 2,
      async make() {
        for (const bytes of [...junk, submission('junk')]) {
          const connection = openLean(url);
          // What is too long may be hung up on before it is answered.
          const answer = await connection.ask(bytes).catch(() => null);
          connection.close();
          if (answer && answer.status >= 500) throw new Error(`${answer.status}`);
        }
      },
    },
    // A weak signal: a form that takes its time, and is taken.
    'slow forms': {
      atOnce: 4,
      async make() {
        const bytes = submission(await mintToken());
        const connection = openLean(url);
        const piece = Math.ceil(bytes.length / 20);
        for (let at = 0; at < 19 * piece; at += piece) {
          connection.begin(bytes.slice(at, at + piece));
          await pause(100);
        }
        const answer = await connection.ask(bytes.slice(19 * piece)).finally(connection.close);
        keep(readReference(answer));
      },
    },
    'endless forms': {
      atOnce: 4,
      async make() {
        const socket = open().resume();
        socket.write(slowBody);
        const timer = setInterval(() => socket.write(' '), 500);
        const end = await Promise.race([new Promise((close) => socket.on('close', close)), wait(patienceMs)]);
        clearInterval(timer);
        socket.destroy();
        if (end === 'late') throw new Error('never ended by the server');
      },
    },
    'gone at once': {
      atOnce: 4,
      async make() {
        for (const bytes of [pipelined('/help', 1), submission(await mintToken()), slowBody]) {
          const socket = open();
          socket.write(bytes, () => socket.destroy());
          await new Promise((close) => socket.on('close', close));
        }
      },
    },
    'read nothing': {
      atOnce: 10,
      async make() {
        const socket = open();
        socket.pause();
        socket.write(pipelined(largestPicture, 4));
        await wait(unreadMs);
        socket.destroy();
      },
    },
  };
}
