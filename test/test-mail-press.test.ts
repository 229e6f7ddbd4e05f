import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import PostalMime from 'postal-mime';
import { expect, onTestFinished, test } from 'vitest';
import { awhina } from './support/command.ts';
import { serve } from './support/running-server.ts';
import { mailTo, startSmtp } from './support/scripted-smtp.ts';
import { compileCache } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';

/** `awhina test-mail` beside the running server, and the people who press the link in its mail. */

const publicUrl = 'https://www.trust.example';

async function prepare() {
  const smtp = await startSmtp();
  // The server makes its secret itself, as in production.
  const env = { DATA_DIR: temporaryFolder(), ...mailTo(smtp.port), PUBLIC_URL: publicUrl };
  const server = await serve({ ...env, BOT_CHECK_SECRET: '' });
  const read = () => Promise.all(smtp.accepted.map(({ raw }) => PostalMime.parse(raw)));
  const press = async (text = '') => {
    const path = /https:\/\/www\.trust\.example(\S+)/.exec(text)?.[1] ?? '';
    expect(path).toMatch(/^\/staff\/letter\/test-[0-9a-f]{16}\/[0-9a-f]{32}$/);
    expect(await (await fetch(server.url + path)).text()).toContain('Yes, it arrived');
    const headers = { 'sec-fetch-site': 'same-origin' };
    const body = new URLSearchParams();
    return (await fetch(server.url + path, { method: 'POST', redirect: 'manual', headers, body })).status;
  };
  return { smtp, env, read, press };
}

/** The command, while it waits. */
function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [resolve('src/cli/awhina.ts'), 'test-mail'], {
    env: { PATH: process.env.PATH, ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => lines.push(line));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, ended, said: () => lines.join('\n') };
}

test('the command says what is proved, and waits until somebody has pressed at each address', async () => {
  const { smtp, env, read, press } = await prepare();
  const { ended, said } = start(env);
  await expect.poll(said).toContain('Waiting for a press');
  expect(said()).toContain('Not proved: that a person has it');
  expect(said()).toContain('go to website@trust.example');
  const [one, other] = await read();
  expect([one?.subject, smtp.accepted.length]).toEqual(['[Website] Test: did it arrive?', 2]);
  expect(await press(one?.text)).toBe(303);
  await expect.poll(said).toContain(`${smtp.accepted[0]?.to[0]}: a person has it`);
  expect(said()).not.toContain(`${smtp.accepted[1]?.to[0]}: a person has it`);
  expect(await press(other?.text)).toBe(303);
  expect(await ended).toBe(0);
});

test('Ctrl-C stops the wait, and the command says at which address nobody has pressed', async () => {
  const { env } = await prepare();
  const { child, ended, said } = start(env);
  await expect.poll(said).toContain('Waiting for a press');
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(said()).toMatch(/Stopped waiting\. The test was sent, but nobody has pressed at (help|contact)@/);
});

test('where it need not wait, or the secret of the site cannot be read, the mail has no link', async () => {
  const { smtp, env, read } = await prepare();
  expect((await awhina(['test-mail', '--no-wait'], env)).code).toBe(0);
  rmSync(join(env.DATA_DIR, 'bot-check-secret'));
  const { code, out } = await awhina(['test-mail'], env);
  expect(code).toBe(0);
  expect(out).toContain('The mail has no link to press. There is no secret of the site in');
  expect(smtp.accepted).toHaveLength(4);
  for (const { text } of await read()) expect(text).not.toContain('https://');
});
