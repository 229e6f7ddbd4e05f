import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import type { Entry } from '../../src/model/answers.ts';
import type { FormName } from '../../src/model/form-field.ts';
import { sampleEntries } from './forms.ts';
import { startServer, type TestServer } from './server.ts';
import { mintToken } from './tokens.ts';
import { isReceipt, send, trustTheVisitor } from './visitor.ts';

/** A server that ends with its test, what is sent to it, and what it has stored. */

export const patient = { timeout: 60_000, interval: 100 };

/** Each visitor has another address. */
export const serve = async (env: Record<string, string>): Promise<TestServer> =>
  endWithTest(await startServer({ ...trustTheVisitor, ...env }));

function endWithTest(server: TestServer): TestServer {
  onTestFinished(async () => void (await server.end('SIGKILL')));
  return server;
}

export const submit = async ({ url }: TestServer) => send(url, 'help', sampleEntries.help, await mintToken());

/** Sends a form that is stored. Resolves with its reference. */
export async function submitted(
  { url }: { url: string },
  form: FormName = 'help',
  fields: readonly Entry[] | readonly object[] = sampleEntries[form],
  expiresAt?: Date,
): Promise<string> {
  const result = await send(url, form, fields, await mintToken(expiresAt && { expiresAt }));
  if (!isReceipt(result)) throw new Error(`Not stored: ${result}`);
  return result.reference;
}

export const said = ({ lines }: TestServer) => lines.join('\n');

export interface Health {
  problems?: string[];
  warnings?: string[];
}

export async function healthOf(
  { url }: TestServer,
  check: 'ready' | 'deliveries',
  headers: Record<string, string> = {},
): Promise<[number, Health & { status?: string }]> {
  const response = await fetch(`${url}/health/${check}`, { headers });
  return [response.status, (await response.json()) as object];
}
export const readiness = (server: TestServer) => healthOf(server, 'ready');

/** The references in the database of this folder, in the order in which they were stored. */
export function kept(dataDir: string): string[] {
  using db = new DatabaseSync(join(dataDir, 'awhina.sqlite'), { timeout: 5_000 });
  return db
    .prepare('SELECT reference FROM submissions ORDER BY id')
    .all()
    .map(({ reference }) => String(reference));
}
