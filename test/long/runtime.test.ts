import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { releasePackage } from '../../scripts/release-package.ts';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** The Node that everything runs on comes with the packages, as they were locked, and from nowhere else. */

const ownNode: string = createRequire(import.meta.url)('../../bin/own-node.cjs');
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const pinned = Object.entries<string>(manifest.optionalDependencies);

test('each kind of machine gets the same Node, exactly, and the lockfile says what is in it', () => {
  expect(pinned.length).toBeGreaterThan(3);
  for (const [name, version] of pinned) {
    expect(version).toBe(process.versions.node);
    const { integrity, os, cpu, hasInstallScript } = packages[`node_modules/${name}`];
    expect([name, integrity]).toEqual([name, expect.stringMatching(/^sha512-/)]);
    expect([os, cpu, hasInstallScript]).toEqual([expect.anything(), expect.anything(), undefined]);
  }
  expect(ownNode).toBe(realpathSync(process.execPath));
});

test('no package may run an install script to use the site, only to develop it', () => {
  const production = Object.entries<Record<string, unknown>>(packages).filter(
    ([path, { dev }]) => path && !dev,
  );
  expect(production.length).toBeGreaterThan(50);
  expect(Object.keys(manifest.allowScripts).filter((name) => !packages[`node_modules/${name}`].dev)).toEqual(
    [],
  );
});

/** What every npm command does first, when npm runs on this version of Node. */
const check = (version: string) =>
  run(process.execPath, ['scripts/check-node.cjs'], {
    npm_config_user_agent: `npm/10.2.4 node/v${version} linux x64 workspaces/false`,
  });

test('a Node whose npm installs too little is refused, in one sentence', async () => {
  for (const version of ['16.20.2', '18.20.4', '20.11.0', '20.18.3', '21.7.3', '22.11.0']) {
    expect(await check(version)).toEqual({
      code: 1,
      out: '',
      err: `Node ${version} is too old for this project: it needs 20.19, 22.12 or anything newer.\n`,
    });
  }
  for (const version of ['20.19.0', '20.20.2', '22.12.0', '24.0.0', '26.10.0']) {
    expect(await check(version)).toEqual({ code: 0, out: '', err: '' });
  }
  // What is too old is what npm leaves the build's own program out for.
  expect(manifest.engines).toEqual(packages['node_modules/rolldown'].engines);
  for (const command of ['postinstall', 'start', 'dev', 'test']) {
    expect(manifest.scripts[command]).toMatch(/^node scripts\/(check-node|launch)\.cjs/);
  }
});

test('every npm command is written for the shell of Windows as well', () => {
  const scripts = { ...manifest.scripts, 'start of a release': releasePackage(manifest).scripts.start };
  expect(Object.keys(scripts).length).toBeGreaterThan(15);
  for (const [name, script] of Object.entries<string>(scripts)) {
    for (const command of script.split(' && ')) {
      // A program's name, then words and paths: no exec, no VARIABLE=value, no quotes, nothing that a shell expands or pipes.
      expect([name, command]).toEqual([name, expect.stringMatching(/^[a-z]+( [\w./:@-]+)*$/)]);
      expect([name, command]).not.toEqual([
        name,
        expect.stringMatching(/^(exec|export|env|sh|set|cd|rm|cp|mv)\b/),
      ]);
      // TypeScript runs on the project's own Node, whichever Node the machine has.
      if (command.includes('.ts') && command.startsWith('node'))
        expect(command).toContain('scripts/launch.cjs ');
    }
  }
});

/** A project of which npm installed this much. */
function projectWith(...files: string[]): (command: string) => ReturnType<typeof run> {
  const folder = realpathSync(temporaryFolder());
  for (const file of [...globSync(['bin/*', 'scripts/*.cjs']), 'awhina']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(file, join(folder, file));
  }
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '', { mode: 0o755 });
  }
  return (command) => run('sh', ['-c', `cd ${folder} && ${command}`], {});
}

test('another Node than its own starts its own, passes signals on, and ends as that one does', async () => {
  const folder = realpathSync(temporaryFolder());
  const node = join(folder, relative(process.cwd(), ownNode));
  mkdirSync(dirname(node), { recursive: true });
  // This Node is another one to a project that has its own at another path.
  symlinkSync(ownNode, node);
  mkdirSync(join(folder, 'bin'));
  for (const file of globSync('bin/*.cjs')) copyFileSync(file, join(folder, file));
  writeFileSync(
    join(folder, 'launch.cjs'),
    "require('./bin/on-own-node.cjs')(process.argv[2], process.argv.slice(3));",
  );
  writeFileSync(
    join(folder, 'program.mjs'),
    `const [, , signal] = process.argv;
     if (!signal) process.exit(7);
     process.once(signal, () => {
       console.log('got', signal);
       process.kill(process.pid, signal);
     });
     setInterval(() => {}, 1000);
     console.log('ready');`,
  );
  const start = (...args: string[]) =>
    spawn(process.execPath, ['launch.cjs', join(folder, 'program.mjs'), ...args], { cwd: folder });
  expect(await once(start(), 'exit')).toEqual([7, null]);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const launcher = start(signal);
    const said = text(launcher.stdout);
    const ended = once(launcher, 'exit');
    await once(launcher.stdout, 'data');
    launcher.kill(signal);
    expect(await ended).toEqual([null, signal]);
    expect(await said).toBe(`ready\ngot ${signal}\n`);
  }
});

test('where npm could not fetch the Node, that is said too', async () => {
  const inProject = projectWith();
  const { code, err } = await inProject('node scripts/check-node.cjs');
  expect([code, err]).toEqual([1, expect.stringMatching(/^The Node that comes with the packages .*\n$/)]);
  expect(await inProject('./awhina list')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Nothing is installed in \S+ yet\. Run there: npm ci\n$/),
  });
  expect(await inProject('node bin/awhina.js list')).toMatchObject({
    code: 1,
    err: 'The project is not installed yet. Run npm ci first.\n',
  });
});

test('npm 10 removes the link to the Node it has installed, and gets it back', async () => {
  const node = relative(process.cwd(), ownNode);
  const inProject = projectWith(node, 'node_modules/.bin/vite');
  expect((await inProject('node scripts/check-node.cjs && readlink node_modules/.bin/node')).out).toBe(
    `${relative('node_modules/.bin', node)}\n`,
  );
  expect(readlinkSync('node_modules/.bin/node')).toBe(relative('node_modules/.bin', node));
});
