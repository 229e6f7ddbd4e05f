import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { isMainThread, Worker } from 'node:worker_threads';

/**
 * Loaded before a command: ends it by SIGKILL just before its nth step, or before the first one at which this path is
 * there. A step is whatever changes something outside the
 * process: a file, a call to SQLite's thread, a write to PostgreSQL's socket.
 */

let left = Number(process.env.DIE_AT_STEP ?? 0);
const path = process.env.DIE_ONCE_THERE;

// biome-ignore lint/suspicious/noExplicitAny: the methods of several modules, whatever they take.
function countCalls(owner: any, names: readonly string[]): void {
  for (const name of names) {
    const original = owner[name];
    owner[name] = function (this: unknown, ...given: unknown[]) {
      const isOutput = this === process.stdout || this === process.stderr;
      const changesNothing = name === 'rm' && !fs.existsSync(String(given[0]));
      const isTime = () => (path ? fs.existsSync(path) : --left === 0);
      if (!isOutput && !changesNothing && isTime()) process.kill(process.pid, 'SIGKILL');
      return original.apply(this, given);
    };
  }
}

if (isMainThread && (left > 0 || path)) {
  countCalls(promises, ['rm', 'rename', 'mkdir', 'cp', 'writeFile', 'link']);
  countCalls(fs, ['write', 'writeFileSync', 'appendFileSync', 'rmSync', 'renameSync', 'mkdirSync']);
  countCalls(Worker.prototype, ['postMessage']);
  countCalls(Socket.prototype, ['write']);
  syncBuiltinESMExports();
}
