import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { sampleEntries } from './support/forms.ts';
import { kept, serve } from './support/running-server.ts';
import { startServer } from './support/server.ts';
import { uploadForEver } from './support/slow-upload.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken, testSecret } from './support/tokens.ts';
import { isReceipt, send, trustTheVisitor } from './support/visitor.ts';

test('SIGTERM finishes the requests that are being answered, loses nothing and ends with 0', async () => {
  const dataDir = temporaryFolder();
  const server = await startServer({ DATA_DIR: dataDir, ...trustTheVisitor });
  const tokens = await Promise.all(Array.from({ length: 200 }, () => mintToken()));
  const sent = tokens.map((token) =>
    send(server.url, 'help', sampleEntries.help, token).catch(() => 'no answer'),
  );
  await Promise.race(sent);
  expect(await server.end('SIGTERM')).toBe(0);

  const references = (await Promise.all(sent)).filter(isReceipt).map(({ reference }) => reference);
  expect(references.length).toBeGreaterThan(0);
  expect(kept(dataDir)).toEqual(expect.arrayContaining(references));
});

test('SIGTERM closes an idle connection, and a form of which the rest comes after that is answered with a page', async () => {
  const server = await startServer({ DATA_DIR: temporaryFolder() });
  const open = () => connect(Number(new URL(server.url).port), '127.0.0.1');
  const socket = open();
  const answer = text(socket);
  socket.write('POST /help HTTP/1.1\r\nHost: localhost\r\n');
  const idle = open();
  idle.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
  // The response to the later request shows that the server has read the first bytes of the form.
  await once(idle, 'data');
  const closed = once(idle, 'close');
  const ended = server.end('SIGTERM');
  // After 5 s the server closes every connection, and this form would get no response.
  await closed;
  socket.write('Content-Length: 0\r\n\r\n');
  expect(await answer).toMatch(
    /^HTTP\/1\.1 422 .*cache-control: no-store.* name="sent-out" value="[^"]+"><\/body><\/html>$/s,
  );
  expect(await ended).toBe(0);
});

test('an upload that never ends does not make the shutdown unclean', async () => {
  const server = await startServer({ DATA_DIR: temporaryFolder() });
  await uploadForEver(server.url);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.lines.join('\n')).toContain('"event":"closed"');
});

test('the start tells what is in use and where the data is, and no secret', async () => {
  const dataDir = temporaryFolder();
  const server = await serve({ DATA_DIR: dataDir });
  await expect.poll(() => server.lines.join('\n')).toContain('bot check  ALTCHA');
  expect(server.lines.join('\n')).toContain(`SQLite in ${dataDir}/awhina.sqlite`);
  expect(server.lines.join('\n')).not.toContain(testSecret);
  const ready = await fetch(`${server.url}/health/ready`);
  expect(await ready.json()).toEqual({ status: 'ready' });
});
