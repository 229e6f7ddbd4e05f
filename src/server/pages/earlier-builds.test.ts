import { existsSync, readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { minimalPages, prepareApp } from '../../../test/support/app.ts';
import { stillContent } from '../../../test/support/forms.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { type CompressedFile, compressFile } from './compressed-file.ts';
import { createEarlierBuilds, maxBytes, retainMs } from './earlier-builds.ts';

const script = (text: string) => compressFile(text, 'text/javascript; charset=utf-8');
const first = { 'calls-AAAAAAAA.js': 'first', 'style-AAAAAAAA.css': 'p{}' };
const second = { 'calls-BBBBBBBB.js': 'second' };

async function buildOf(files: Record<string, string>): Promise<Map<string, CompressedFile>> {
  const made = Object.entries(files).map(
    async ([name, text]) => [`/assets/${name}`, await script(text)] as const,
  );
  return new Map(await Promise.all(made));
}

/** One server after another, or beside it, in the same folder. */
function prepare() {
  const folder = join(temporaryFolder(), 'builds');
  const world = { now: new Date('2026-06-01T00:00:00Z') };
  const pass = (ms: number) => {
    world.now = new Date(world.now.getTime() + ms);
  };
  const start = async (files: Record<string, string> | Map<string, CompressedFile>) => {
    const current = files instanceof Map ? files : await buildOf(files);
    const builds = createEarlierBuilds({ folder, current, now: () => world.now });
    await builds.persist();
    const text = async (name: string) => (await builds.find(name))?.bodies.identity.toString();
    return { ...builds, text };
  };
  return { folder, pass, start };
}

test('the files of an earlier build are found for as long as a page may be open, and not longer', async () => {
  const { folder, pass, start } = prepare();
  await start(first);
  pass(60_000);
  const { text, find, persist } = await start(second);
  expect(await text('calls-AAAAAAAA.js')).toBe('first');
  expect((await find('calls-AAAAAAAA.js'))?.type).toBe('text/javascript; charset=utf-8');
  expect((await find('style-AAAAAAAA.css'))?.type).toBe('text/css; charset=utf-8');
  pass(retainMs - 61_000);
  await persist();
  expect(await text('calls-AAAAAAAA.js')).toBe('first');
  pass(2_000);
  await persist();
  expect(await text('calls-AAAAAAAA.js')).toBeUndefined();
  expect(readdirSync(folder).toSorted()).toEqual(
    ['', '.br', '.gz'].map((ending) => `calls-BBBBBBBB.js${ending}`),
  );
});

test('the time counts from when a build last ran, however long ago it was made', async () => {
  const { pass, start } = prepare();
  const running = await start(first);
  for (let days = 0; days < 90; days += 10) {
    pass(retainMs / 3);
    await running.persist();
  }
  const { text } = await start(second);
  expect(await text('calls-AAAAAAAA.js')).toBe('first');
});

test('a server on the earlier build finds the files of a newer one beside it', async () => {
  const { start } = prepare();
  const older = await start(first);
  expect(await older.text('calls-BBBBBBBB.js')).toBeUndefined();
  const newer = await start(second);
  expect(await older.text('calls-BBBBBBBB.js')).toBe('second');
  await Promise.all([older.persist(), newer.persist(), older.persist(), newer.persist()]);
  for (const { text } of [older, newer]) {
    expect([await text('calls-AAAAAAAA.js'), await text('calls-BBBBBBBB.js')]).toEqual(['first', 'second']);
  }
});

test('over the limit the builds that ran last stay, and the running one whatever its size', async () => {
  const { pass, start } = prepare();
  const names = ['CCCCCCCC', 'DDDDDDDD', 'EEEEEEEE', 'FFFFFFFF'].map((hash) => `calls-${hash}.js`);
  const small = await script('');
  const large = { ...small, bodies: { ...small.bodies, identity: Buffer.alloc(maxBytes * 0.45) } };
  for (const name of names) {
    await start(new Map([[`/assets/${name}`, large]]));
    pass(60_000);
  }
  const { find } = await start(second);
  const found = await Promise.all(names.map(async (name) => (await find(name)) !== null));
  expect(found).toEqual([false, false, true, true]);
});

test('half a file is never found: what a dead server left is replaced or erased', async () => {
  const { folder, pass, start } = prepare();
  await start(first);
  const half = join(folder, 'calls-CCCCCCCC.js.0b6fbf2a-0000-4000-8000-000000000000.part');
  writeFileSync(half, 'hal');
  truncateSync(join(folder, 'calls-AAAAAAAA.js'), 2);
  const { find, text, persist } = await start(first);
  expect(await text('calls-AAAAAAAA.js')).toBe('first');
  for (const name of readdirSync(folder).filter((name) => !(name in first)))
    expect(await find(name)).toBeNull();
  // Another server may be writing it now.
  expect(existsSync(half)).toBe(true);
  utimesSync(half, 0, 0);
  pass(1);
  await persist();
  expect(existsSync(half)).toBe(false);
});

test('a name that leads elsewhere is not found, and no file of others is erased', async () => {
  const { folder, start } = prepare();
  await mkdir(join(folder, 'folder.js'), { recursive: true });
  for (const path of ['../secret.js', 'notes.txt', '.hidden.js', 'a b.js']) {
    writeFileSync(join(folder, path), 'secret');
    utimesSync(join(folder, path), 0, 0);
  }
  const { find } = await start(first);
  for (const name of ['../secret.js', '..%2fsecret.js', 'notes.txt', '.hidden.js', 'a b.js', '', '.', '..'])
    expect(await find(name)).toBeNull();
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['notes.txt', '.hidden.js', 'a b.js']));
});

test('where there can be no folder, storing fails and nothing is found', async () => {
  const folder = join(temporaryFolder(), 'in the way', 'builds');
  writeFileSync(join(folder, '..'), '');
  const builds = createEarlierBuilds({ folder, current: await buildOf(first), now: () => new Date() });
  await expect(builds.persist()).rejects.toThrow('ENOTDIR');
  expect(await builds.find('calls-AAAAAAAA.js')).toBeNull();
});

test('a page of an earlier build gets its file with the headers it always had', async () => {
  const { start } = prepare();
  await start(first);
  const earlierBuilds = await start(second);
  const content = stillContent();
  const files = await buildOf(second);
  const botCheck = { kind: 'altcha', challengePath: '/bot-check/challenge' } as const;
  const pages = await minimalPages(content, botCheck, { files, earlierBuilds });
  const { app } = await prepareApp({ pages, content });
  const ask = (name: string, headers = {}) => app.inject({ path: `/assets/${name}`, headers });
  const [older, newer] = [await ask('calls-AAAAAAAA.js'), await ask('calls-BBBBBBBB.js')];
  expect([older.payload, newer.payload]).toEqual(['first', 'second']);
  const { etag, 'content-length': _, date: __, ...headers } = older.headers;
  expect(newer.headers).toMatchObject(headers);
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await ask('calls-AAAAAAAA.js', { 'accept-encoding': 'br' })).headers['content-encoding']).toBe(
    'br',
  );
  expect((await ask('calls-AAAAAAAA.js', { 'if-none-match': etag as string })).statusCode).toBe(304);
  for (const name of [
    'calls-AAAAAAAA.js.br',
    '..%2fawhina.sqlite',
    'calls-CCCCCCCC.js',
    '%63alls-AAAAAAAA.js',
  ])
    expect((await ask(name)).statusCode).toBe(404);
});
