import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attackedServer } from '../support/attacked-server.ts';
import { exchange, statusesIn, wire } from '../support/raw-http.ts';

/** Over raw sockets, because every HTTP client tidies an address up before it asks for it. */

const server = attackedServer();

/** Ways of writing one step up, for whoever decodes once, twice, or by rules of their own. */
const ups = [
  '..',
  '%2e%2e',
  '%2E.',
  '.%2e',
  '%252e%252e',
  '%25252e%25252e',
  '..;',
  '..;x=y',
  '....',
  '..%00',
  '..%09',
  '%c0%ae%c0%ae',
  '%e0%80%ae%e0%80%ae',
  '%u002e%u002e',
  '．．',
  '..%ef%bc%8f',
];
const slashes = ['/', '//', '/./', '%2f', '%2F', '%252f', '\\', '%5c', '%255c', '%c0%af', '/\\'];
const targets = [
  'etc/passwd',
  'package.json',
  'data/awhina.sqlite',
  'content/site.yaml',
  'src/server/main.ts',
];
const folders = [
  '/',
  '/assets/',
  '/photos/',
  `/photos/${'0'.repeat(32)}/`,
  '/.well-known/',
  '/graphql/',
  '/src/',
];

const climbing = ups.flatMap((up, n) =>
  slashes.flatMap((slash, m) =>
    folders.map((folder, k) => {
      const target = (targets[(n + m + k) % targets.length] ?? '').replaceAll('/', slash);
      return folder + `${up}${slash}`.repeat(8) + target;
    }),
  ),
);

const outright = [
  '/etc/passwd',
  '//etc/passwd',
  '/package.json',
  '/data/awhina.sqlite',
  '/data/bot-check-secret',
  '/content/site.yaml',
  '/src/server/main.ts',
  '/node_modules/fastify/package.json',
  '/dist/client/.vite/manifest.json',
  '/dist/server/entry-server.js',
  '/.git/config',
  '/.env',
  '/.npmrc',
  '/@fs/etc/passwd',
  '/@id/package.json',
  '/assets/%00',
  '/assets/.vite/manifest.json',
  '/assets/%2e%2e%00.js',
  '/photos/made.json',
  `/photos/${'0'.repeat(32)}/made.json`,
  '/photos/search/..%2f..%2fpackage.json',
  '/photos/..%2f..%2f/cover-480.avif',
  'file:///etc/passwd',
  'http://x/../../etc/passwd',
  'http://x/assets/../../package.json',
  'http://127.0.0.1:1/package.json',
  'http://x@attacker.example/assets/../../package.json',
  '*',
  'etc/passwd',
];

/** What the files that must not leave begin with, or hold. */
const secrets = [
  'root:x:0:0',
  '"devDependencies"',
  'SQLite format 3',
  'organisation:',
  "from './settings/settings.ts'",
  '"averageColour"',
  'src/web/entry-client.tsx',
];

async function ask(path: string, method = 'GET'): Promise<{ status: number; answer: string }> {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close'];
  // As UTF-8, which is what a browser would send for a letter that is none of ASCII.
  const answer = await exchange(server.port(), Buffer.from(wire(lines)).toString('latin1'));
  const [status = 0, ...more] = statusesIn(answer);
  expect(more).toEqual([]);
  return { status, answer };
}

test('the secrets that are looked for exist', () => {
  expect(climbing.length).toBeGreaterThan(1_000);
  expect(readFileSync('package.json', 'utf8')).toContain('"devDependencies"');
  expect(readFileSync(join(server.dataDir, 'awhina.sqlite'), 'latin1')).toContain('SQLite format 3');
  expect(readFileSync('content/site.yaml', 'utf8')).toContain('organisation:');
  expect(readFileSync('src/server/main.ts', 'utf8')).toContain("from './settings/settings.ts'");
});

test('no address leads to a file that is not meant for visitors', async () => {
  const asked = [...climbing, ...outright];
  for (let at = 0; at < asked.length; at += 20) {
    const paths = asked.slice(at, at + 20);
    const answers = await Promise.all(paths.map((path) => ask(path)));
    for (const [n, { status, answer }] of answers.entries()) {
      expect([302, 400, 404], `${paths[n]}: ${status}`).toContain(status);
      // Home, or to the one address of the page it stands for, and never onward to what was asked for.
      if (status === 302) expect(answer).toMatch(/\r\nlocation: \/(help|contact)?\r\n/);
      for (const secret of secrets) expect(answer.includes(secret), paths[n]).toBe(false);
      expect(answer.length).toBeLessThan(2_000);
    }
  }
});

test('no other method leads to such a file either', async () => {
  for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'TRACE', 'COPY']) {
    for (const path of [
      '/assets/..%2f..%2fpackage.json',
      '/package.json',
      '/photos/%2e%2e/%2e%2e/etc/passwd',
    ]) {
      const { status, answer } = await ask(path, method);
      expect([302, 400, 404, 405, 415], `${method} ${path}: ${status}`).toContain(status);
      for (const secret of secrets) expect(answer).not.toContain(secret);
    }
  }
});
