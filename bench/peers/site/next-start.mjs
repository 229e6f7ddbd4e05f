/** `next start` in this process, on a free port, which is logged once the server answers. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
probe.close();
await once(probe, 'close');

const folder = fileURLToPath(new URL('.', import.meta.url));
process.argv.splice(2, Number.POSITIVE_INFINITY, 'start', folder, '-p', `${port}`, '-H', '127.0.0.1');
createRequire(import.meta.url)('next/dist/bin/next');

const answers = () =>
  fetch(`http://127.0.0.1:${port}/help`).then(
    ({ ok }) => ok,
    () => false,
  );
while (!(await answers())) await pause(100);
process.stdout.write(`{"event":"listening","port":${port}}\n`);
