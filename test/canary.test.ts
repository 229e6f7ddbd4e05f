import { expect, test } from 'vitest';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { listen } from './support/canary.ts';
import { awhinaShared } from './support/command.ts';
import { openStore } from './support/each-store.ts';
import { sampleEntries } from './support/forms.ts';
import { healthOf, serve, submitted } from './support/running-server.ts';
import { mailTo, type ScriptedSmtp, startSmtp } from './support/scripted-smtp.ts';
import type { TestServer } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';
import { farFromNow } from './support/time-of-day.ts';
import { wrongBy } from './support/wrong-clocks.ts';

/** The whole server, which sends itself a request, and a mail server. Where none was sent yet it is time for one. */

const mailbox = 'canary@trust.example';
const minutes = 60_000;

async function prepare() {
  const smtp = await startSmtp();
  const dataDir = temporaryFolder();
  const start = (env: Record<string, string> = {}) =>
    serve({
      ...{ DATA_DIR: dataDir, ...mailTo(smtp.port), TRUST_PROXY: '' },
      ...{ CANARY_AT: farFromNow, MAIL_TO_CANARY: mailbox, ...env },
    });
  return { smtp, dataDir, start };
}

const says = (server: TestServer, event: string) => () =>
  server.lines.some((line) => line.includes(`"event":"${event}`));
const mailsTo = ({ accepted }: ScriptedSmtp, to: string) => accepted.filter((mail) => mail.to.includes(to));

/** Past everything that leaves it out. */
async function countRows(dataDir: string): Promise<number> {
  const store = await openSqliteStore(dataDir);
  try {
    return await store.countAll();
  } finally {
    await store.close();
  }
}

/** By a token that is good for longer than a clock is put ahead here. */
const askForHelp = (server: TestServer) =>
  submitted(server, 'help', sampleEntries.help, new Date(Date.now() + 24 * 60 * minutes));

test('the canary is stored, mailed and erased, the watchdog is told, and staff get nothing', async () => {
  const { smtp, dataDir, start } = await prepare();
  let beats = 0;
  const watchdog = await listen((_request, response) => {
    beats++;
    response.end();
  });
  const server = await start({ HEARTBEAT_URL: `${watchdog}/a-secret` });
  await expect.poll(() => beats).toBe(1);
  expect(mailsTo(smtp, mailbox)).toHaveLength(1);
  expect(mailsTo(smtp, 'help@trust.example')).toEqual([]);
  expect((await healthOf(server, 'deliveries'))[0]).toBe(200);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(await countRows(dataDir)).toBe(0);
  expect(server.lines.join('\n')).not.toContain('a-secret');
  // Done for today.
  const again = await start();
  await askForHelp(again);
  await expect.poll(() => mailsTo(smtp, 'help@trust.example').length).toBe(1);
  expect(mailsTo(smtp, mailbox)).toHaveLength(1);
});

test('a canary that fails is tried again, also by the next start; then staff are told and the health check fails', async () => {
  const { smtp, start } = await prepare();
  smtp.script.RCPT = ({ to }) => (to.at(-1) === mailbox ? '550 no such mailbox' : undefined);
  const server = await start();
  await expect.poll(says(server, 'canary failed')).toBe(true);
  expect((await healthOf(server, 'deliveries'))[0]).toBe(200);
  expect(smtp.accepted).toEqual([]);
  await server.end('SIGKILL');

  const later = await start({ ...wrongBy(6 * minutes), MAIL_TO_ESCALATE: 'night@trust.example' });
  await expect.poll(() => mailsTo(smtp, 'night@trust.example').length).toBe(1);
  await expect.poll(() => mailsTo(smtp, 'help@trust.example').length).toBe(1);
  expect(mailsTo(smtp, 'help@trust.example')[0]?.raw).toContain(
    'Subject: [Website] A test of the website did not reach you',
  );
  const refused = expect.stringContaining('its mail was refused: SMTP 550 at RCPT TO');
  // The mail goes out before the failure is recorded.
  const health = () => healthOf(later, 'deliveries');
  await expect.poll(health).toMatchObject([503, { problems: [refused] }]);
  await later.end('SIGTERM');

  smtp.script = {};
  const mended = await start(wrongBy(30 * minutes));
  await expect.poll(says(mended, 'canary succeeded')).toBe(true);
  expect((await healthOf(mended, 'deliveries'))[0]).toBe(200);
});

test.each([
  ['as soon as the canary is stored', 'canary stored'],
  ['while the mail of the canary is being sent', 'mail'],
  ['as soon as the mail of the canary was accepted', 'canary: mail accepted'],
])(
  'where the server is killed %s, the canary is in no list, the next start erases it, and a person’s request is untouched',
  async (_when, moment) => {
    const { smtp, dataDir, start } = await prepare();
    // Its mail is answered never, so that it is surely still there at the kill.
    const midway = moment !== 'canary: mail accepted';
    if (midway) smtp.hold = new Promise(() => {});
    const server = await start();
    const reached =
      moment === 'mail' ? () => smtp.seen.some(({ to }) => to.includes(mailbox)) : says(server, moment);
    await expect.poll(reached, { interval: 2 }).toBe(true);
    await server.end('SIGKILL');
    smtp.hold = undefined;

    if (midway) expect(await countRows(dataDir)).toBe(1);
    for (const command of moment === 'mail' ? ['list', 'export', 'deliveries'] : ['list']) {
      const { out } = await awhinaShared([command, '--json'], { DATA_DIR: dataDir });
      expect(JSON.parse(out)).toEqual([]);
    }

    const next = await start({ ...wrongBy(2 * 60 * minutes), CANARY_AT: 'off' });
    const reference = await askForHelp(next);
    await expect.poll(() => mailsTo(smtp, 'help@trust.example').length).toBe(1);
    expect(mailsTo(smtp, 'help@trust.example')[0]?.raw).toContain(reference);
    await next.end('SIGTERM');
    expect(await countRows(dataDir)).toBe(1);
    const store = await openStore(dataDir);
    const { received } = await store.readFigures('2000-01-01', '2099-12-31');
    expect(received.map(({ count }) => count)).toEqual([1]);
  },
);
