import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { sampleEntries } from './support/forms.ts';
import { startServer } from './support/server.ts';
import { uploadForEver } from './support/slow-upload.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken } from './support/tokens.ts';
import { isReceipt, send, trustTheVisitor } from './support/visitor.ts';

test('SIGTERM finishes what is in hand, loses nothing and ends well', async () => {
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
  using db = new DatabaseSync(`${dataDir}/awhina.sqlite`);
  const kept = db.prepare('SELECT reference FROM submissions').all();
  expect(kept.map(({ reference }) => reference)).toEqual(expect.arrayContaining(references));
});

test('a form of which the first bytes came before SIGTERM, and the rest after it, is answered with a page', async () => {
  const server = await startServer({ DATA_DIR: temporaryFolder() });
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const answer = text(socket);
  socket.write('POST /help HTTP/1.1\r\nHost: localhost\r\n');
  // Whoever came after it is served, so it has been heard.
  await fetch(`${server.url}/health/live`);
  const ended = server.end('SIGTERM');
  await expect.poll(() => server.lines.join('\n')).toContain('"event":"closing"');
  socket.write('Content-Length: 0\r\n\r\n');
  expect(await answer).toMatch(
    /^HTTP\/1\.1 422 .*cache-control: no-store.* name="sent-out" value="[^"]+">$/s,
  );
  expect(await ended).toBe(0);
});

test('a connection that only waits does not hold the end up', async () => {
  const server = await startServer({ DATA_DIR: temporaryFolder() });
  const idle = await fetch(`${server.url}/health/live`, { headers: { connection: 'keep-alive' } });
  await idle.text();
  expect(await server.end('SIGTERM')).toBe(0);
});

test('an upload that never ends does not make the end an unclean one', async () => {
  const server = await startServer({ DATA_DIR: temporaryFolder() });
  await uploadForEver(server.url);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.lines.join('\n')).toContain('"event":"closed"');
});

test('a start that cannot work says why, all at once, and ends', async () => {
  const message = await startServer({ PORT: 'three', RETENTION_DAYS: 'x', DATA_DIR: temporaryFolder() }).then(
    () => expect.unreachable(),
    (error: Error) => error.message,
  );
  expect(message).toContain('The server ended with 1');
  expect(message).toContain('PORT must be');
  expect(message).toContain('RETENTION_DAYS must be');
});

test('the start tells what is in use and where the data is, and no secret', async () => {
  const dataDir = temporaryFolder();
  const server = await startServer({ DATA_DIR: dataDir });
  onTestFinished(async () => void (await server.end()));
  await expect.poll(() => server.lines.join('\n')).toContain('bot check  ALTCHA');
  expect(server.lines.join('\n')).toContain(`SQLite in ${dataDir}/awhina.sqlite`);
  const ready = await fetch(`${server.url}/health/ready`);
  expect(await ready.json()).toEqual({ status: 'ready' });
});

test('a port that is taken is said in words', async () => {
  const server = await startServer({ DATA_DIR: temporaryFolder() });
  onTestFinished(async () => void (await server.end()));
  const again = startServer({ DATA_DIR: temporaryFolder(), PORT: new URL(server.url).port });
  await expect(again).rejects.toThrow('Set PORT to another one');
});
