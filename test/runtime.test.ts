import { copyFileSync, mkdirSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { run } from './support/command.ts';
import { temporaryFolder } from './support/temporary.ts';

/** The Node that everything runs on comes with the packages, as they were locked, and from nowhere else. */

const ownNode: string = createRequire(import.meta.url)('../bin/own-node.cjs');
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

test('a Node that npm installs too little under is told so, in one sentence', async () => {
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
    expect(manifest.scripts[command]).toMatch(/^node scripts\/check-node\.cjs/);
  }
});

/** A project of which npm installed this much. */
function projectWith(...files: string[]): (command: string) => ReturnType<typeof run> {
  const folder = realpathSync(temporaryFolder());
  for (const file of ['bin/own-node.cjs', 'bin/awhina.js', 'scripts/check-node.cjs', 'awhina']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(file, join(folder, file));
  }
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '', { mode: 0o755 });
  }
  return (command) => run('sh', ['-c', `cd ${folder} && ${command}`], {});
}

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
