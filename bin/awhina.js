#!/usr/bin/env node
// Whatever Node the machine has, the command runs under the one this project brings (see package.json).
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import ownNode from './own-node.cjs';

const command = new URL('../src/cli/awhina.ts', import.meta.url);

if (process.execPath === ownNode) {
  await import(command.href);
} else {
  const child = spawn(ownNode, [fileURLToPath(command), ...process.argv.slice(2)], { stdio: 'inherit' });
  child.on('error', () => {
    process.stderr.write('The project is not installed yet. Run npm ci first.\n');
    process.exitCode = 1;
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
