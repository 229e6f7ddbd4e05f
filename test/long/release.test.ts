import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sampleEntries } from '../support/forms.ts';
import { installRelease, listFiles, packRelease, releaseSite } from '../support/release.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { mintToken } from '../support/tokens.ts';
import { isReceipt, send } from '../support/visitor.ts';

test('the same commit packs to the same bytes, without a file that only developers need', () => {
  const tarball = packRelease();
  const second = packRelease();
  for (const ending of ['.tgz', '.cdx.json']) {
    const [one, other] = [tarball, second].map((path) => readFileSync(path.replace(/\.tgz$/, ending)));
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true);
  }
  const files = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).split('\n');
  expect(files.length).toBeGreaterThan(400);
  expect(
    files.filter((file) => /\.test\.ts|\.tsx$|tsconfig|^[^/]+\/(build|scripts|test)\//.test(file)),
  ).toEqual([]);
  expect(files.filter((file) => /\/content\/languages\/[\w-]+\.po$/.test(file))).not.toEqual([]);
  expect(
    files.filter((file) => /site\.yaml$|\/rendered\/.*\.avif$|dist\/client\/assets\/.*\.br$/.test(file))
      .length,
  ).toBeGreaterThan(50);
});

test('a release in an empty folder serves, still has a request after a restart, and changes none of its files', async () => {
  const tarball = packRelease();
  const installed = installRelease(tarball);
  const megabytes = Number.parseInt(execFileSync('du', ['-sm', installed], { encoding: 'utf8' }), 10);
  expect(megabytes).toBeLessThanOrEqual(300);

  const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const packages = globSync(['*/package.json', '@*/*/package.json'], {
    cwd: join(installed, 'node_modules'),
  });
  const names = packages.map((path) => path.replace('/package.json', ''));
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => lockfile.packages[`node_modules/${name}`]?.dev)).toEqual([]);
  const sbom = JSON.parse(readFileSync(tarball.replace(/\.tgz$/, '.cdx.json'), 'utf8'));
  const listed = sbom.components.map(({ name }: { name: string }) => name);
  expect(names.filter((name) => !listed.includes(name))).toEqual([]);

  const before = listFiles(installed);
  const data = temporaryFolder();
  chmodSync(data, 0o755);
  const site = releaseSite(installed, join(data, 'kept'));
  const first = await site.start();
  onTestFinished(async () => void (await first.end('SIGKILL')));
  for (const page of ['/', '/help', '/contact', '/health/ready']) {
    expect((await fetch(first.url + page)).status).toBe(200);
  }
  const receipt = await send(first.url, 'help', sampleEntries.help, await mintToken());
  if (!isReceipt(receipt)) throw new Error(`Not taken: ${receipt}`);
  expect(await first.end()).toBe(0);

  const second = await site.start();
  onTestFinished(async () => void (await second.end('SIGKILL')));
  expect((await fetch(`${second.url}/help`)).status).toBe(200);
  expect((await site.command('list')).out).toContain(receipt.reference);
  const beside = (name: string) => join(data, 'kept', name);
  expect(await site.command('open', '--make-reader', beside('reader.html'))).toMatchObject({ code: 0 });
  expect(await site.command('backup', beside('site.backup'))).toMatchObject({ code: 0 });
  expect((await site.command('--version')).out).toContain(`on Node ${process.versions.node}`);
  expect(await second.end()).toBe(0);
  expect(listFiles(installed)).toEqual(before);
}, 300_000);
