import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { startServer, type TestServer } from './server.ts';
import { trustTheVisitor } from './visitor.ts';

/**
 * One real server for all tests of a file. It must still answer after each of them, and end with exit code 0 after the
 * last.
 */
export function attackedServer(env: Record<string, string> | (() => Promise<Record<string, string>>) = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'awhina-attack-'));
  let server: TestServer;

  beforeAll(async () => {
    const settings = typeof env === 'function' ? await env() : env;
    server = await startServer({ DATA_DIR: dataDir, ...trustTheVisitor, ...settings });
  });
  afterEach(async () => {
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
  });
  afterAll(async () => {
    const code = await server.end();
    await rm(dataDir, { recursive: true, force: true });
    expect(code).toBe(0);
  });

  return {
    dataDir,
    url: () => server.url,
    port: () => Number(new URL(server.url).port),
    /** What it printed so far. */
    output: () => server.lines.join('\n'),
    /** How many requests are in its database. */
    countKept(): number {
      using db = new DatabaseSync(join(dataDir, 'awhina.sqlite'));
      return Number(db.prepare('SELECT count(*) AS kept FROM submissions').get()?.kept);
    },
  };
}
