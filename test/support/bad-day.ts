import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { sampleEntries } from './forms.ts';
import { startServer, type TestServer } from './server.ts';
import { mintToken } from './tokens.ts';
import { isReceipt, send, trustTheVisitor } from './visitor.ts';

/** A server in trouble: its output, its readiness and its stored requests. */

export const patient = { timeout: 60_000, interval: 100 };

export async function serve(env: Record<string, string>): Promise<TestServer> {
  const server = await startServer({ ...trustTheVisitor, ...env });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  return server;
}

export const submit = async ({ url }: TestServer) => send(url, 'help', sampleEntries.help, await mintToken());

export async function submitted(server: TestServer): Promise<string> {
  const result = await submit(server);
  if (!isReceipt(result)) throw new Error(`Not taken: ${result}`);
  return result.reference;
}

export async function readiness({
  url,
}: TestServer): Promise<[number, { problems?: string[]; warnings?: string[] }]> {
  const response = await fetch(`${url}/health/ready`);
  return [response.status, (await response.json()) as object];
}

export function kept(dataDir: string): string[] {
  using db = new DatabaseSync(join(dataDir, 'awhina.sqlite'), { timeout: 5_000 });
  return db
    .prepare('SELECT reference FROM submissions ORDER BY id')
    .all()
    .map(({ reference }) => String(reference));
}
