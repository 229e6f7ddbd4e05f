import { cpSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';

/** The project under another name, to be upgraded: the real one's build is what other tests are served from. */
function projectToUpgrade(): string {
  const project = temporaryFolder();
  for (const part of ['src', 'dist', 'package.json']) cpSync(part, join(project, part), { recursive: true });
  for (const part of ['content', 'node_modules']) symlinkSync(resolve(part), join(project, part));
  return project;
}

async function serve(project: string) {
  const server = await startProgram(
    process.execPath,
    ['src/server/main.ts'],
    { DATA_DIR: join(project, 'data') },
    project,
  );
  onTestFinished(async () => void (await server.end('SIGKILL')));
  return server;
}

/** Gives one of the files another content, and so another name. */
function changeBuild(project: string, name: string, changed: string, text: string): void {
  const folder = join(project, 'dist', 'client', 'assets');
  for (const ending of ['', '.br', '.gz']) rmSync(join(folder, name + ending));
  writeFileSync(join(folder, changed), text);
  writeFileSync(join(folder, `${changed}.br`), brotliCompressSync(text));
  writeFileSync(join(folder, `${changed}.gz`), gzipSync(text));
}

test('a page left open over an upgrade still finds its files, with the headers they always had', async () => {
  const project = projectToUpgrade();
  const assets = readdirSync(join(project, 'dist', 'client', 'assets'));
  const name = assets.find((file) => /^altcha-worker-.*\.js$/.test(file)) ?? '';
  const before = await serve(project);
  const asked = async ({ url }: { url: string }, file: string) => {
    const response = await fetch(`${url}/assets/${file}`, { headers: { 'accept-encoding': 'br' } });
    const { date: _, ...headers } = Object.fromEntries(response.headers);
    return { status: response.status, headers, text: await response.text() };
  };
  const first = await asked(before, name);
  expect(first).toMatchObject({ status: 200, headers: { 'content-encoding': 'br' } });
  expect(await before.end()).toBe(0);

  changeBuild(project, name, 'altcha-worker-upgraded.js', 'export {};');
  const after = await serve(project);
  expect(await asked(after, name)).toEqual(first);
  expect(await asked(after, 'altcha-worker-upgraded.js')).toMatchObject({ status: 200, text: 'export {};' });
  expect(await asked(after, 'altcha-worker-neverwas.js')).toMatchObject({ status: 404 });
  expect(await after.end()).toBe(0);
});

test('where the files cannot be stored the server starts all the same, and says so', async () => {
  const project = projectToUpgrade();
  const before = await serve(project);
  expect(await before.end()).toBe(0);
  const builds = join(project, 'data', 'builds');
  renameSync(builds, `${builds}-aside`);
  writeFileSync(builds, 'in the way');
  const after = await serve(project);
  expect((await fetch(`${after.url}/help`)).status).toBe(200);
  const said = after.lines.find((line) => line.includes('"event":"build not stored"'));
  expect(said).toContain('"level":"warn"');
  expect(readFileSync(builds, 'utf8')).toBe('in the way');
});
