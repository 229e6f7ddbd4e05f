import { readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { formQueries } from '../src/model/operations.ts';
import { sampleEntries } from './support/forms.ts';
import { findGeneratingCode } from './support/generating-code.ts';
import type { GeneratedCodeRecord } from './support/record-generated-code.ts';
import { startServer } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken } from './support/tokens.ts';
import { isReceipt, postGraphql, send } from './support/visitor.ts';

/**
 * All that could make code from text, in all that a server loads (docs/decisions/0044). A new entry needs a reason
 * why no request can reach it.
 */
const allowed: Record<string, { uses: number; because: string }> = {
  'node_modules/find-my-way/lib/node.js': { uses: 1, because: 'for the routes, at the start' },
  'node_modules/find-my-way/lib/handler-storage.js': { uses: 2, because: 'for the routes, at the start' },
  'node_modules/find-my-way/lib/constrainer.js': { uses: 1, because: 'for constraints, which no route has' },
  'node_modules/find-my-way/lib/compiler.js': { uses: 1, because: 'in a mode that Fastify does not use' },
  'node_modules/encoding/node_modules/iconv-lite/lib/helpers/merge-exports.js': {
    uses: 1,
    because: 'names Function for its `call` alone, while the reader of translations is loaded',
  },
  'node_modules/rfdc/index.js': { uses: 1, because: "copies Fastify's options, by an array's constructor" },
  'node_modules/zod/v4/core/util.js': { uses: 1, because: 'off: disable-zod-jit.ts' },
  'node_modules/zod/v4/core/doc.js': { uses: 1, because: 'off: disable-zod-jit.ts' },
  'node_modules/zod/v4/core/compile.js': { uses: 1, because: 'off: disable-zod-jit.ts' },
  'src/server/pages/built-renderer.ts': { uses: 1, because: 'imports the bundle that the build made' },
};

/** Has a server do all it does for visitors, and ends it. */
async function recordServer(): Promise<GeneratedCodeRecord[]> {
  const folder = temporaryFolder();
  const recordTo = `${folder}/record.jsonl`;
  const server = await startServer({
    DATA_DIR: `${folder}/data`,
    RECORD_TO: recordTo,
    NODE_OPTIONS: `--import=${pathToFileURL(resolve('test/support/record-generated-code.ts'))}`,
  });
  onTestFinished(async () => void (await server.end()));
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

test('what a server loads can make code from text in the known places only, and none of it for a request', async () => {
  const records = await recordServer();
  const loaded = new Set(records.flatMap((record) => ('loaded' in record ? record.loaded : [])));
  expect(loaded.size).toBeGreaterThan(300);
  expect([...loaded].filter((url) => /^node:(vm|repl|inspector)/.test(url))).toEqual([]);

  const files = [...loaded]
    .filter((url) => url.startsWith('file:') && /\.[cm]?[jt]s$/.test(url))
    .map((url) => relative('.', fileURLToPath(url)))
    .filter((file) => file !== 'test/support/record-generated-code.ts');
  expect(files.some((file) => file.startsWith('dist/server/'))).toBe(true);
  const found = files
    .map((file) => [file, findGeneratingCode(file).length] as const)
    .filter(([, uses]) => uses > 0);
  const known = Object.entries(allowed).map(([file, { uses }]) => [file, uses]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(known));

  // What really did, from the start to the end: the router, for its routes.
  const made = records.flatMap((record) => ('generatedBy' in record ? record.generatedBy : []));
  expect(made.length).toBeGreaterThan(0);
  for (const stack of made) expect(stack).toMatch(/find-my-way\/lib\/(node|handler-storage)\.js/);

  expect(records.at(-1)).toEqual({ stillOpen: [] });
});

test.each([
  'eval("1")',
  '(0, eval)("1")',
  'globalThis.eval("1")',
  'new Function("return 1")',
  'Function("return 1")',
  'const F = Function; new F("return 1")',
  'Function.apply(null, ["return 1"])',
  'globalThis["Function"]("return 1")',
  '(() => {}).constructor("return 1")',
  'new (async () => {}).constructor("return 1")',
  'const vm = require("vm")',
  'process.getBuiltinModule("node:vm")',
  'import { runInThisContext } from "node:vm"',
  'module._compile(text, "x.js")',
  'new Worker(text, { eval: true })',
  'import("data:text/javascript," + text)',
])('the search finds %s', (code) => {
  const file = `${temporaryFolder()}/sample.js`;
  writeFileSync(file, code);
  expect(findGeneratingCode(file)).not.toEqual([]);
});

test.each([
  'x instanceof Function',
  'const bind = Function.prototype.bind',
  'polynomial.eval(1)',
  'const o = { eval: 1, Function: 2 }',
  'new this.constructor()',
  '// new Function("")',
  '"eval(1)"',
  'import("./other.js")',
])('the search passes over %s', (code) => {
  const file = `${temporaryFolder()}/sample.js`;
  writeFileSync(file, code);
  expect(findGeneratingCode(file)).toEqual([]);
});
