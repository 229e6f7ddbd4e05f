import {
  cpSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { awhina } from './support/command.ts';
import { serve } from './support/running-server.ts';
import { startServer } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';

/** A busy machine may take longer than the usual second. */
const patiently = { timeout: 30_000 };

/** A folder of a trust with words and a picture of its own, and how to start a server on it. */
function makeTrust() {
  const folder = temporaryFolder();
  const env = { CONTENT_DIR: join(folder, 'content'), DATA_DIR: join(folder, 'data') };
  cpSync('content', env.CONTENT_DIR, { recursive: true, filter: (path) => !path.includes('rendered') });
  const site = join(env.CONTENT_DIR, 'site.yaml');
  const write = (from: string | RegExp, to: string) =>
    writeFileSync(site, readFileSync(site, 'utf8').replace(from, to));
  write('title: Get Help', 'title: Ask us for help');
  const copies = () =>
    globSync('content/*/site.yaml', { cwd: env.DATA_DIR }).filter((path) => !path.includes('.part'));
  return {
    env,
    write,
    copies,
    lineOf: (text: string) =>
      readFileSync(site, 'utf8')
        .split('\n')
        .findIndex((line) => line.includes(text)) + 1,
    async start() {
      const server = await serve(env);
      const home = async () => (await fetch(server.url)).text();
      const ready = async () => (await fetch(`${server.url}/health/ready`)).json();
      return { ...server, home, ready };
    },
  };
}

test('a start with broken content serves the last good content, and says so in log, mail, health check and commands', async () => {
  const trust = makeTrust();
  const before = await trust.start();
  await expect.poll(trust.copies, patiently).toHaveLength(1);
  await before.end();

  trust.write(/^email: .*$/m, 'email: nobody');
  const where = `site.yaml:${trust.lineOf('email: nobody')} email: expected one e-mail address`;
  const server = await trust.start();
  expect(await server.home()).toContain('Ask us for help');
  const warning = `the content is not right, so the last that was is shown: ${where}`;
  expect(await server.ready()).toEqual({ status: 'ready', warnings: [warning] });
  await expect.poll(() => server.lines.join('\n'), patiently).toContain(`  ${warning}`);
  expect(server.lines.join('\n')).toMatch(/"event":"content has a mistake","file":"site\.yaml","line":\d+/);
  const mails = () => globSync('mail/alarm-content-*.eml', { cwd: trust.env.DATA_DIR });
  await expect.poll(() => mails().length, patiently).toBeGreaterThan(0);
  const mail = readFileSync(join(trust.env.DATA_DIR, mails()[0] ?? ''), 'utf8');
  expect(mail).toContain('There is a mistake in the words of the website');
  const { code, out } = await awhina(['check'], trust.env);
  expect(code).toBe(1);
  expect(out).toContain('email: expected one e-mail address');
  expect(out).toContain('Until this is fixed the site shows the last content that was right');

  trust.write('email: nobody', 'email: mended@kowhai.example');
  trust.write('title: Ask us for help', 'title: Come to us');
  await expect.poll(server.home, patiently).toContain('Come to us');
  await expect.poll(server.ready, patiently).toEqual({ status: 'ready' });
  await expect
    .poll(() => trust.copies().map((path) => readFileSync(join(trust.env.DATA_DIR, path), 'utf8')), patiently)
    .toEqual([expect.stringContaining('Come to us')]);

  // While it runs too.
  trust.write(/^address:/m, 'adress:');
  await expect.poll(server.ready, patiently).toMatchObject({
    status: 'ready',
    warnings: [expect.stringContaining('adress: is not known here: is address meant?')],
  });
});

test('the last good content includes its pictures, and is served where the folder is gone', async () => {
  const trust = makeTrust();
  const before = await trust.start();
  await expect.poll(trust.copies, patiently).toHaveLength(1);
  const picture = /\/photos\/[0-9a-f]{32}\/cover-480@1x\.jpeg/;
  await expect.poll(before.home, patiently).toMatch(picture);
  await before.end();

  const gone = `${trust.env.CONTENT_DIR}-gone`;
  renameSync(trust.env.CONTENT_DIR, gone);
  rmSync(join(trust.env.DATA_DIR, 'photos'), { recursive: true, force: true });
  const server = await trust.start();
  await expect.poll(server.home, patiently).toMatch(picture);
  const address = picture.exec(await server.home())?.[0];
  expect((await fetch(server.url + address)).status).toBe(200);
  expect(await (await fetch(`${server.url}/favicon.svg`)).text()).toBe(
    readFileSync('content/logo.svg', 'utf8'),
  );
  expect(await server.ready()).toMatchObject({
    warnings: [expect.stringContaining('CONTENT_DIR is not there')],
  });

  renameSync(gone, trust.env.CONTENT_DIR);
  await expect.poll(server.ready, patiently).toEqual({ status: 'ready' });
});

test('with broken content and no copy of good content the start fails, and says why', async () => {
  const trust = makeTrust();
  trust.write(/^email: .*$/m, 'email: nobody');
  await expect(startServer(trust.env)).rejects.toThrow(
    /site\.yaml:\d+ {2}email: expected one e-mail address/,
  );
  expect(existsSync(join(trust.env.DATA_DIR, 'content'))).toBe(false);
  const { out } = await awhina(['check'], trust.env);
  expect(out).toContain('a server that starts now stops with this');
});

test('only the server can read its copy of the content, which has nothing that the site does not show', async () => {
  const trust = makeTrust();
  writeFileSync(join(trust.env.CONTENT_DIR, 'photos', 'unlisted.jpg'), 'x');
  writeFileSync(join(trust.env.CONTENT_DIR, '.site.yaml.swp'), 'x');
  const server = await trust.start();
  await expect.poll(trust.copies, patiently).toHaveLength(1);
  await server.end();
  const home = join(trust.env.DATA_DIR, 'content');
  const kept = readdirSync(home, { recursive: true, encoding: 'utf8' });
  expect(kept.join('\n')).not.toMatch(/unlisted|\.swp|rendered|\.part/);
  expect(kept.filter((path) => path.endsWith('.svg')).length).toBeGreaterThan(5);
  for (const path of kept) expect(statSync(join(home, path)).mode & 0o077).toBe(0);
});
