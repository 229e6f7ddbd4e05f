import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { sampleEntries } from './support/forms.ts';
import { freePort } from './support/free-port.ts';
import { kept } from './support/running-server.ts';
import { compileCache } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken, testSecret } from './support/tokens.ts';
import { anyAddress, isReceipt, send, trustTheVisitor } from './support/visitor.ts';

/** A server that cannot tell its port, so it is given one that was free a moment ago. */
async function startMute(stdio: ['ignore', number | 'pipe', number | 'pipe'], dataDir: string) {
  const port = await freePort();
  const env = { PORT: String(port), DATA_DIR: dataDir, BOT_CHECK_SECRET: testSecret, LOG_LEVEL: 'debug' };
  const child = spawn(process.execPath, ['src/server/main.ts'], {
    env: { PATH: process.env.PATH, ...compileCache, ...trustTheVisitor, ...env },
    stdio,
  });
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal);
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  const live = () => fetch(`${url}/health/live`).then(({ status }) => status, String);
  await expect.poll(live).toBe(200);
  return { url, child, ended };
}

// Linux has a file that is always full; elsewhere there is none to try this with.
test.skipIf(!existsSync('/dev/full')).each([
  ['the log', false],
  ['the log and the errors', true],
])('a full disk under %s costs no request, and the server still ends with 0', async (_what, both) => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const dataDir = temporaryFolder();
  const server = await startMute(['ignore', full, both ? full : 'pipe'], dataDir);
  // More than the log keeps back while it cannot write.
  for (let sent = 0; sent < 500; sent++) await fetch(`${server.url}/health/live`);
  expect(isReceipt(await send(server.url, 'help', sampleEntries.help, await mintToken()))).toBe(true);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(kept(dataDir)).toHaveLength(1);
});

test('a log pipe that is no longer read delays no visitor', async () => {
  const dataDir = temporaryFolder();
  const server = await startMute(['ignore', 'pipe', 'pipe'], dataDir);
  // A pipe takes 64 kB, and Node reads some of it ahead; this is more than both.
  for (let sent = 0; sent < 3_000; sent++) {
    await fetch(`${server.url}/health/live`, { headers: { 'x-forwarded-for': anyAddress() } });
  }
  expect(isReceipt(await send(server.url, 'help', sampleEntries.help, await mintToken()))).toBe(true);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(kept(dataDir)).toHaveLength(1);
});
