import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Imported into a server: at a SIGUSR2, tries what an attacker would who could run code in it, and logs what worked. */

const { DATA_DIR = '', CONTENT_DIR = '' } = process.env;

const attempts: Record<string, () => unknown> = {
  'read the content': () => readFileSync(join(CONTENT_DIR, 'site.yaml')),
  'write to the data': () => writeFileSync(join(DATA_DIR, 'probe'), ''),
  'read a file of the machine': () => readFileSync('/etc/passwd'),
  'read the environment of a process': () => readFileSync('/proc/self/environ'),
  'write to the project': () => writeFileSync('probe', ''),
  'write to the content': () => writeFileSync(join(CONTENT_DIR, 'probe'), ''),
  'run a program': () => {
    const { error } = spawnSync(process.execPath, ['--version']);
    if (error) throw error;
  },
  'start a thread with rights of its own': () =>
    void new Worker('', { eval: true, execArgv: [] }).terminate(),
  'load an addon': () => process.dlopen({ exports: {} }, join(DATA_DIR, 'probe.node')),
  'reach into Node': () => Reflect.get(process, 'binding').call(process, 'fs'),
};

function worked(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_ACCESS_DENIED' || code === 'ERR_DLOPEN_DISABLED') return false;
    throw error;
  }
}

process.on('SIGUSR2', () => {
  const allowed = Object.keys(attempts).filter((name) => worked(attempts[name] as () => unknown));
  process.stdout.write(`probe ${JSON.stringify({ allowed, tried: Object.keys(attempts).length })}\n`);
});
