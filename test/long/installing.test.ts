import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../support/command.ts';
import { documentedVersions, shellBlocks } from '../support/documents.ts';
import { sampleEntries } from '../support/forms.ts';
import { download, packRelease } from '../support/release.ts';
import { startProgram } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { mintToken, testSecret } from '../support/tokens.ts';
import { isReceipt, send } from '../support/visitor.ts';

/**
 * docs/installing.md and docs/upgrading.md, word for word, on a machine that is a folder: what they say of /opt, /etc and
 * their like happens in it, and what would change the real machine (packages, users, services) does nothing.
 */
function makeMachine() {
  const root = temporaryFolder();
  const folders = ['/opt', '/etc', '/var/lib', '/usr/local/bin'];
  for (const folder of [
    ...folders,
    '/downloads',
    '/stubs',
    '/etc/systemd/system',
    '/etc/caddy',
    '/etc/nginx/sites-available',
    '/etc/nginx/sites-enabled',
    '/var/lib/awhina',
  ]) {
    mkdirSync(root + folder, { recursive: true });
  }
  // curl too: systemd is not here to start what it would ask.
  for (const stub of ['apt-get', 'useradd', 'install', 'systemctl', 'chgrp', 'curl', 'certbot', 'nginx'])
    symlinkSync('/bin/true', join(root, 'stubs', stub));
  const moved = (words: string) =>
    folders.reduce((text, folder) => text.replaceAll(`${folder}/`, `${root}${folder}/`), words);
  return {
    root,
    downloads: join(root, 'downloads'),
    type(commands: string): string {
      const PATH = `${root}/stubs:${root}/usr/local/bin:${process.env.PATH}`;
      const env = { PATH, HOME: process.env.HOME, npm_config_prefer_offline: 'true' };
      return execFileSync('sh', ['-euc', moved(commands)], {
        cwd: join(root, 'downloads'),
        env,
        encoding: 'utf8',
      });
    },
    settings: () => parseEnv(readFileSync(`${root}/etc/awhina/awhina.env`, 'utf8')) as Record<string, string>,
  };
}

test('installing and upgrading by the documents loses no request', async () => {
  const { root, downloads, type, settings } = makeMachine();
  const awhina = join(root, 'usr/local/bin/awhina');
  const environment = () => ({ ...settings(), BOT_CHECK_SECRET: testSecret, LOG_LEVEL: 'info' });
  const version = async () => (await run(awhina, ['--version'], {})).out.split(',')[0];
  const references: string[] = [];
  /** As systemd does with the version in use: serves, takes one more request, and knows all those before. */
  const visit = async () => {
    const server = await startProgram(awhina, ['start'], environment(), join(root, 'opt/awhina/current'));
    onTestFinished(async () => void (await server.end('SIGKILL')));
    const receipt = await send(server.url, 'help', sampleEntries.help, await mintToken());
    if (!isReceipt(receipt)) throw new Error(`Not taken: ${receipt}`);
    references.push(receipt.reference);
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    const { out } = await run(awhina, ['list'], environment());
    expect(references.filter((reference) => !out.includes(reference))).toEqual([]);
    expect(await server.end()).toBe(0);
  };

  const { now, before } = documentedVersions();
  download(packRelease(), downloads, before);
  type(shellBlocks('docs/installing.md').join('\n').replaceAll(now, before));
  expect(await version()).toBe(`awhina ${before}`);
  expect(settings().TRUST_PROXY).toBe('127.0.0.1');
  expect(readdirSync(join(root, 'etc/systemd/system'))).toEqual(['awhina.service']);
  expect(readFileSync(join(root, 'etc/caddy/Caddyfile'), 'utf8')).toContain('to 127.0.0.1:3000');
  type(shellBlocks('docs/installing.md', 'nginx').join('\n'));
  expect(readFileSync(join(root, 'etc/nginx/sites-enabled/awhina'), 'utf8')).toContain('proxy_pass');
  await visit();

  // systemd.test.ts goes back, with a real version before: that needs the copy of its database.
  const [upgrade = ''] = shellBlocks('docs/upgrading.md');
  download(packRelease(), downloads, now);
  type(upgrade);
  expect(await version()).toBe(`awhina ${now}`);
  await visit();

  expect(new Set(references).size).toBe(2);
}, 600_000);
