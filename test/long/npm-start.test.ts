import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startProgram } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** The project under another name, with a build of its own: the real one would take the pages away from other tests. */
function projectThatBuilds(build: string): { cwd: string; env: Record<string, string> } {
  const cwd = temporaryFolder();
  const { scripts, type } = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync(
    join(cwd, 'package.json'),
    JSON.stringify({ type, scripts: { start: scripts.start, build } }),
  );
  for (const part of ['bin', 'content', 'node_modules', 'scripts', 'src'])
    symlinkSync(resolve(part), join(cwd, part));
  // npm writes a log of itself, and looks for a newer npm.
  const ofNpm = { HOME: cwd, npm_config_update_notifier: 'false', npm_config_cache: join(cwd, '.npm') };
  return { cwd, env: { DATA_DIR: join(cwd, 'data'), LOG_LEVEL: 'info', ...ofNpm } };
}

// All that npm starts shares its output, which is closed when the last of them has ended: nothing is left running then.

for (const command of ['start', 'dev']) {
  test(`SIGTERM to npm alone ends the server of npm run ${command}, which finishes its work first`, async () => {
    const { cwd, env } = projectThatBuilds('exit 0');
    const server = await startProgram('npm', ['run', command], env, command === 'dev' ? resolve('.') : cwd);
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
    const allGone = once(server.process, 'close');
    server.process.kill('SIGTERM');
    // Where sh is dash, npm itself has ended before the server has.
    expect([
      [0, null],
      [null, 'SIGTERM'],
    ]).toContainEqual(await allGone);
    expect(server.lines.join('\n')).toContain('"event":"closed"');
  });
}

test('SIGTERM during the build ends the build, and nothing is served', async () => {
  const { cwd, env } = projectThatBuilds('echo building; node -e "setInterval(() => {}, 1000)"');
  const npm = spawn('npm', ['start'], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  npm.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await expect.poll(() => said).toContain('\nbuilding');
  const allGone = once(npm, 'close');
  npm.kill('SIGTERM');
  const [code, signal] = await allGone;
  expect(code === 0).toBe(false);
  expect([null, 'SIGTERM']).toContain(signal);
  expect(said).not.toContain('listening');
});

test('a build or a server that fails is an npm start that fails', async () => {
  for (const [build, port] of [
    ['exit 7', '0'],
    ['exit 0', 'three'],
  ] as const) {
    const { cwd, env } = projectThatBuilds(build);
    const started = startProgram('npm', ['start'], { ...env, PORT: port }, cwd);
    await expect(started).rejects.toThrow(/ended with [17]:/);
  }
});
