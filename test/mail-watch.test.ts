import { expect, onTestFinished, test } from 'vitest';
import { mailTo, startScriptedSmtp } from './support/scripted-smtp.ts';
import { startServer } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';
import { hurried } from './support/wrong-clocks.ts';

/** The hourly look in the whole server. Each way in which it can fail is in src/server/self-checks/. */
async function prepare(script: Awaited<ReturnType<typeof startScriptedSmtp>>['script']) {
  const smtp = await startScriptedSmtp();
  smtp.script = script;
  const SMTP_URL = `smtp://user:correct-horse@127.0.0.1:${smtp.port}`;
  const server = await startServer({
    DATA_DIR: temporaryFolder(),
    ...mailTo(smtp.port),
    SMTP_URL,
    ...hurried,
  });
  onTestFinished(async () => {
    await server.end('SIGKILL');
    await smtp.close();
  });
  return { smtp, server };
}

test('a wrong password fails the health check of deliveries before anybody has sent a request', async () => {
  const { server } = await prepare({ AUTH: '535 5.7.8 \x1b[31mcorrect-horse\x07 is wrong' });
  const health = async () => {
    const response = await fetch(`${server.url}/health/deliveries`);
    return { status: response.status, body: await response.text() };
  };
  await expect.poll(async () => (await health()).status).toBe(503);
  const { body } = await health();
  expect(JSON.parse(body)).toEqual({
    status: 'not in time',
    problems: [
      'the mail server does not accept the user or password in SMTP_URL (SMTP 535 5.7.8 at AUTH PLAIN)',
    ],
  });
  expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
  const log = server.lines.join('\n');
  expect(log).toContain('"event":"mail server refuses mail","reason":"SMTP 535 5.7.8 at AUTH PLAIN"');
  expect(log).not.toMatch(/correct-horse|is wrong/);
});

test('a probe of a silent mail server does not delay the shutdown', async () => {
  const { smtp, server } = await prepare({ MAIL: 'silent' });
  await expect.poll(() => smtp.heard.some((line) => line.startsWith('MAIL'))).toBe(true);
  // One that is held up ends with 1, after nine seconds.
  expect(await server.end('SIGTERM')).toBe(0);
});
