import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { submitMutations } from '../src/model/operations.ts';
import { sampleEntries } from './support/forms.ts';
import { kept, serve } from './support/running-server.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken } from './support/tokens.ts';
import { anyAddress } from './support/visitor.ts';

/** A phone that loses its network right after the last byte: the whole form arrived, and nobody waits any more. */
async function sendAndReset(port: number, token: string): Promise<void> {
  const variables = { fields: sampleEntries.help, recaptchaToken: token };
  const body = JSON.stringify({ query: submitMutations.help, variables });
  const head = [
    'POST /graphql HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Forwarded-For: ${anyAddress()}`,
  ];
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  await new Promise((written) => socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, written));
  socket.resetAndDestroy();
}

test.each([
  ['alone, all from one address', { TRUST_PROXY: '' }],
  ['behind a proxy known by its address', { TRUST_PROXY: '127.0.0.1' }],
  ['behind a proxy known by its distance', { TRUST_PROXY: '1' }],
])('a form that arrived whole is kept, though its connection was reset: %s', async (_where, env) => {
  const dataDir = temporaryFolder();
  const server = await serve({ DATA_DIR: dataDir, ...env });
  const tokens = await Promise.all(Array.from({ length: 100 }, () => mintToken()));
  const { port } = new URL(server.url);
  await Promise.all(tokens.map((token) => sendAndReset(Number(port), token)));

  await expect.poll(() => kept(dataDir).length).toBe(tokens.length);
});
