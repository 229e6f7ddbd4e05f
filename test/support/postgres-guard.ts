import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Waits for the end of the process that started it, then stops the PostgreSQL in this folder and deletes the folder. */
const [folder = ''] = process.argv.slice(2);
const pidFile = join(folder, 'db/postmaster.pid');

for await (const _ of process.stdin);
// The first line of the file is the server's process; the server deletes the file when it has stopped.
if (existsSync(pidFile)) process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGINT');
while (existsSync(pidFile)) await setTimeout(50);
rmSync(folder, { recursive: true, force: true });
