import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { formQueries } from '../src/model/operations.ts';
import { sampleEntries } from './support/forms.ts';
import type { GeneratedCodeRecord } from './support/record-generated-code.ts';
import { serve } from './support/running-server.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken } from './support/tokens.ts';
import { isReceipt, postGraphql, send } from './support/visitor.ts';

/** Has a server do all it does for visitors, and ends it. */
async function recordServer(): Promise<GeneratedCodeRecord[]> {
  const folder = temporaryFolder();
  const recordTo = `${folder}/record.jsonl`;
  const server = await serve({
    DATA_DIR: `${folder}/data`,
    RECORD_TO: recordTo,
    NODE_OPTIONS: `--import=${pathToFileURL(resolve('test/support/record-generated-code.ts'))}`,
  });
  const { url } = server;
  for (const path of [
    '/',
    '/help',
    '/nowhere',
    '/health/ready',
    '/metrics',
    '/bot-check/challenge',
    '/robots.txt',
    '/%zz',
  ])
    await (await fetch(url + path)).text();
  expect((await postGraphql(url, formQueries.help)).status).toBe(200);
  expect((await postGraphql(url, '{ __type(name: "Query") { name } }')).status).toBe(200);
  expect(isReceipt(await send(url, 'help', sampleEntries.help, await mintToken()))).toBe(true);
  expect(await server.end()).toBe(0);
  return readFileSync(recordTo, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('no code is made from text but for the routes, at the start, and nothing that could is loaded', async () => {
  const records = await recordServer();
  const loaded = new Set(records.flatMap((record) => ('loaded' in record ? record.loaded : [])));
  expect(loaded.size).toBeGreaterThan(300);
  expect([...loaded].filter((url) => /^node:(vm|repl|inspector)/.test(url))).toEqual([]);

  // What really did, from the start to the end: the router, for its routes.
  const made = records.flatMap((record) => ('generatedBy' in record ? record.generatedBy : []));
  expect(made.length).toBeGreaterThan(0);
  for (const stack of made) expect(stack).toMatch(/find-my-way\/lib\/(node|handler-storage)\.js/);

  expect(records.at(-1)).toEqual({ stillOpen: [] });
});
