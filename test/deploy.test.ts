import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeFlags } from '../scripts/node-flags.ts';
import { settingNames } from '../src/server/settings/settings-list.ts';
import { makeFolders } from './support/content-folder.ts';
import { sampleEntries } from './support/forms.ts';
import { photo } from './support/pictures.ts';
import { mailTo, startSmtp } from './support/scripted-smtp.ts';
import { startProgram } from './support/server.ts';
import { installed, movedTo, readUnit, serviceCommand } from './support/service-unit.ts';
import { editSite } from './support/site-server.ts';
import { temporaryFolder } from './support/temporary.ts';
import { testCertificate } from './support/test-certificate.ts';
import { mintToken, testSecret } from './support/tokens.ts';
import { isReceipt, send } from './support/visitor.ts';

const path = 'deploy/awhina.service';
const unit = readUnit(path);
const only = (name: string) => {
  expect(unit.get(name), name).toHaveLength(1);
  return unit.get(name)?.[0] ?? '';
};
const here = movedTo({ ...installed, project: process.cwd() });
const [node = '', ...args] = only('ExecStart').split(' ');
const script = args.pop() ?? '';

test('every file that the unit names is in the project', () => {
  expect(existsSync(here(node))).toBe(true);
  expect(here(only('WorkingDirectory'))).toBe(process.cwd());
  expect(existsSync(script)).toBe(true);
  expect(existsSync(here(only('Documentation')).replace('file:', ''))).toBe(true);
});

test('the unit restarts the server after any end, and allows more than the 9 s of a shutdown', () => {
  expect([only('Restart'), only('StartLimitIntervalSec')]).toEqual(['always', '0']);
  expect(Number(only('TimeoutStopSec'))).toBeGreaterThan(10);
});

test('the unit has every flag that npm start has', () => {
  expect(args).toEqual(expect.arrayContaining([...nodeFlags]));
});

test('the web servers show the page from where the unit has it written, and may read it there', () => {
  expect(unit.get('Environment')).toContain(`AWAY_DIR=${installed.away}`);
  expect([`/var/cache/${only('CacheDirectory')}`, only('CacheDirectoryMode')]).toEqual([
    installed.away,
    '0755',
  ]);
  for (const file of ['Caddyfile', 'nginx.conf', 'Containerfile'])
    expect(readFileSync(`deploy/${file}`, 'utf8')).toContain(installed.away);
});

test('the container has every flag that npm start has', () => {
  expect(readFileSync('deploy/Containerfile', 'utf8')).toContain(`NODE_OPTIONS="${nodeFlags.join(' ')}"`);
});

test('the container’s health check survives podman, and no port is published but to this machine', () => {
  const told = ['deploy/Containerfile', 'docs/installing.md'].map((file) => readFileSync(file, 'utf8'));
  for (const text of told) {
    const builds = text.match(/podman build [^\n]*/g) ?? [];
    expect(builds.length).toBeGreaterThan(0);
    for (const build of builds) expect(build).toContain(' --format docker ');
    for (const [, published] of text.matchAll(/ -p (\S*\d+:\d+)/g))
      expect(published).toMatch(/^127\.0\.0\.1:/);
  }
  expect(told[0]).toMatch(/^HEALTHCHECK /m);
});

const analyze = (...options: string[]) => spawnSync('systemd-analyze', options, { encoding: 'utf8' });
const noTool = analyze('--version').status !== 0;

describe.skipIf(noTool)('systemd-analyze, which is skipped where systemd is not installed', () => {
  test('has nothing to say against the unit', () => {
    const moved = join(temporaryFolder(), 'awhina.service');
    writeFileSync(moved, here(readFileSync(path, 'utf8')));
    const { stdout, stderr } = analyze('verify', '--man=no', moved);
    expect((stdout + stderr).split('\n').filter((line) => line.includes('awhina.service'))).toEqual([]);
  });

  test('calls its exposure 1.5 or less, of 10', () => {
    const { stdout } = analyze('security', '--offline=true', '--no-pager', path);
    const [, exposure] = /exposure level for awhina\.service: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(1.5);
  });
});

type Folders = Omit<typeof installed, 'project'>;

/** The server as the unit starts it, in other folders: the content is an own one, as in /etc/awhina/content. */
async function startAsService(more: string[] = [], prepare: (folders: Folders) => object = () => ({})) {
  const { contentDir, writePictures, remove } = await makeFolders();
  onTestFinished(remove);
  await writePictures('- file: ours.jpg\n  keywords: [family]\n  alt: Ours\n  credit: The trust\n', {
    'ours.jpg': await photo(),
  });
  const data = temporaryFolder();
  const away = temporaryFolder();
  const folders = { settings: join(contentDir, '..'), data, away, credentials: temporaryFolder() };
  const command = serviceCommand({ ...folders, project: process.cwd() });
  const server = await startProgram(command.node, [...command.flags, ...more, script], {
    DATA_DIR: data,
    AWAY_DIR: away,
    CONTENT_DIR: contentDir,
    BOT_CHECK_SECRET: testSecret,
    ...prepare(folders),
  });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  return { server, contentDir, data, away };
}

test('under the flags of the unit the whole site works, down to the last file', async () => {
  const { server, contentDir, data, away } = await startAsService();
  for (const page of ['/', '/help', '/contact']) expect((await fetch(server.url + page)).status).toBe(200);

  const receipt = await send(server.url, 'help', sampleEntries.help, await mintToken());
  if (!isReceipt(receipt)) throw new Error(`Not taken: ${receipt}`);
  const mail = join(data, 'mail', `${receipt.reference}.eml`);
  await expect.poll(() => existsSync(mail)).toBe(true);
  expect(readFileSync(mail, 'utf8')).toContain(receipt.reference);

  const told = readFileSync('docs/operating.md', 'utf8').split('`DATA_DIR` moves')[0] ?? '';
  const untold = readdirSync(data).filter(
    (name) => !told.includes(`data/${name.replace(/-(wal|shm)$/, '')}`),
  );
  expect(untold, 'what the first table of docs/operating.md does not name').toEqual([]);

  const findPicture = async () =>
    /\/photos\/[^"/]+/.exec(await (await fetch(`${server.url}/`)).text())?.[0] ?? '';
  await expect.poll(findPicture).not.toBe('');
  const picture = await fetch(`${server.url}${await findPicture()}/medium.jpeg`);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^image\//),
  ]);

  await editSite(contentDir, [['Kōwhai', 'Another']]);
  await expect.poll(async () => (await fetch(`${server.url}/contact`)).text()).toContain('Another');
  const awayPage = join(away, 'away.html');
  await expect.poll(() => readFileSync(awayPage, 'utf8')).toContain('Another');
  expect(statSync(awayPage).mode & 0o777).toBe(0o644);

  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.lines.filter((line) => /ACCESS_DENIED|Warning/.test(line))).toEqual([]);
});

test('under the flags of the unit a password is read as systemd hands it over, and mail goes by the trust’s own authority', async () => {
  const smtp = await startSmtp({ tls: true });
  const { server } = await startAsService([], ({ settings, credentials }) => {
    writeFileSync(join(credentials, 'SMTP_URL'), `smtps://user:pass@localhost:${smtp.port}\n`);
    writeFileSync(join(settings, 'mail-ca.pem'), testCertificate.cert);
    const { SMTP_URL: _fromFile, ...mail } = mailTo(smtp.port);
    return {
      ...mail,
      WEEKLY_LETTER: 'off',
      CREDENTIALS_DIRECTORY: credentials,
      SMTP_CA: join(settings, 'mail-ca.pem'),
    };
  });
  await expect.poll(() => server.lines.join('\n')).toContain('and SMTP_URL from credentials');
  await send(server.url, 'help', sampleEntries.help, await mintToken());
  await expect.poll(() => smtp.accepted.length).toBe(1);
  expect(await server.end('SIGTERM')).toBe(0);
});

test('the documents load credentials from where the command finds them, one line a setting', () => {
  const told = [path, 'docs/operating.md', 'docs/installing.md'].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/LoadCredential(Encrypted)?=(\w+):([\w/.]+)/g)].map((match) =>
      match.slice(1),
    ),
  );
  expect(told.length).toBeGreaterThanOrEqual(3);
  for (const [encrypted, name = '', from] of told) {
    expect(settingNames).toContain(name);
    expect(from).toBe(`/etc/awhina/credentials/${name}${encrypted ? '.cred' : ''}`);
  }
  expect(args).toContain('--allow-fs-read=/run/credentials/awhina.service');
});

test('code that ran in the server could use its folders and nothing else', async () => {
  const { server, data } = await startAsService(['--import', './test/support/permission-probe.ts']);
  server.process.kill('SIGUSR2');
  const said = () => server.lines.find((line) => line.startsWith('probe '));
  await expect.poll(said).toBeDefined();
  expect(JSON.parse(said()?.slice(6) ?? '')).toEqual({
    allowed: ['read the content', 'write to the data'],
    tried: 10,
  });
  expect(readdirSync(data)).toContain('probe');
  expect(await server.end('SIGTERM')).toBe(0);
});
