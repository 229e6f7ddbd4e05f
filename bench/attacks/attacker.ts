/**
 * One hostile client, in a process of its own so that it does not slow whoever measures: `attacker.ts KIND URL`.
 * It says when it has begun, and ends by itself after a minute.
 */
import { globSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { submitMutations } from '../../src/model/operations.ts';
import { pipelined } from '../../test/support/attackers.ts';
import { sampleEntries } from '../../test/support/forms.ts';

const [kind = '', url = ''] = process.argv.slice(2);
const { hostname, port } = new URL(url);
/** The server takes our word for it: an address other than the visitors'. */
const address = { 'x-forwarded-for': '192.0.2.66' };
const endMs = 60_000;

/** Keeps so many connections open that never read; one that is closed comes back a second later. */
function holdOpen(count: number, bytes: string): void {
  const open = () => {
    const socket = connect(Number(port), hostname);
    if (bytes) socket.write(bytes);
    socket.on('error', () => {});
    socket.on('close', () => setTimeout(open, 1_000));
  };
  for (let n = 0; n < count; n++) open();
}

/** Asks without pause, so many at a time. */
function hammer(count: number, path: string, body?: string): void {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const headers = { ...address, ...(body ? { 'content-type': 'application/json' } : {}) };
  const ask = () => {
    const asked = request(`${url}${path}`, { agent, method: body ? 'POST' : 'GET', headers }, (response) => {
      response.resume();
      response.on('close', ask);
    });
    asked.on('error', () => setTimeout(ask, 20));
    asked.end(body);
  };
  for (let n = 0; n < count; n++) ask();
}

const [largest = ''] = globSync('content/photos/rendered/*/*').sort(
  (a, b) => statSync(b).size - statSync(a).size,
);
const form = (fields: unknown, recaptchaToken: string) =>
  JSON.stringify({ query: submitMutations.help, variables: { fields, recaptchaToken } });

const attacks: Record<string, () => void> = {
  idle: () => holdOpen(1_500, ''),
  junk: () => hammer(100, '/graphql', form(sampleEntries.help, 'junk')),
  pipelining: () => holdOpen(100, pipelined(largest.replace('content/photos/rendered', '/photos'), 200)),
  favicon: () => hammer(100, '/favicon.svg'),
  readiness: () => hammer(100, '/health/ready'),
  log: () => hammer(100, '/graphql', form(Array(500).fill({}), 'junk')),
};
attacks[kind]?.();
setTimeout(() => console.log('begun'), 1_500);
setTimeout(() => process.exit(), endMs);
