import { expect, test } from 'vitest';
import { healthOf, said, serve } from './support/running-server.ts';
import { mailTo, startSmtp } from './support/scripted-smtp.ts';
import { temporaryFolder } from './support/temporary.ts';
import { hurried } from './support/wrong-clocks.ts';

/** The hourly look in the whole server. Each way in which it can fail is in src/server/self-checks/. */
async function prepare(script: Awaited<ReturnType<typeof startSmtp>>['script']) {
  const smtp = await startSmtp();
  smtp.script = script;
  const server = await serve({
    ...{ DATA_DIR: temporaryFolder(), ...mailTo(smtp.port), ...hurried },
    SMTP_URL: `smtp://user:correct-horse@127.0.0.1:${smtp.port}`,
    MAIL_BOUNCES_TO: 'office@trust.example',
  });
  return { smtp, server };
}

test('a wrong password fails the health check of deliveries before anybody has sent a request', async () => {
  const { server } = await prepare({ AUTH: '535 5.7.8 \x1b[31mcorrect-horse\x07 is wrong' });
  await expect.poll(async () => (await healthOf(server, 'deliveries'))[0]).toBe(503);
  const problem =
    'the mail server does not accept the user or password in SMTP_URL (SMTP 535 5.7.8 at AUTH PLAIN)';
  expect(await healthOf(server, 'deliveries')).toEqual([503, { status: 'not in time', problems: [problem] }]);
  expect((await healthOf(server, 'ready'))[0]).toBe(200);
  expect(said(server)).toContain(
    '"event":"mail server refuses mail","reason":"SMTP 535 5.7.8 at AUTH PLAIN"',
  );
  expect(said(server)).not.toMatch(/correct-horse|is wrong/);
});

test('a probe of a silent mail server asks whether MAIL_BOUNCES_TO may send, and does not delay the shutdown', async () => {
  const { smtp, server } = await prepare({ MAIL: 'silent' });
  await expect.poll(() => smtp.heard.at(-1)).toBe('MAIL FROM:<office@trust.example>');
  // One that is held up ends with 1, after nine seconds.
  expect(await server.end('SIGTERM')).toBe(0);
});
