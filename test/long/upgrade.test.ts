import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eachStore } from '../support/each-store.ts';
import { sampleEntries } from '../support/forms.ts';
import { buildCommit, commitBefore } from '../support/release.ts';
import { mailTo, startScriptedSmtp } from '../support/scripted-smtp.ts';
import { startProgram, type TestServer } from '../support/server.ts';
import { serviceCommand } from '../support/service-unit.ts';
import { farFromNow } from '../support/time-of-day.ts';
import { mintToken, testSecret } from '../support/tokens.ts';
import { isReceipt, send, trustTheVisitor } from '../support/visitor.ts';

/**
 * The version before and then this one, on one database, each as its systemd unit starts it: `npm run test:long`. It takes the other version out of the project's history, so it is no part of `npm test`.
 */
const before = process.env.UPGRADE_FROM ?? commitBefore;

let folder = '';
let remove = () => {};
afterAll(() => remove());

beforeAll(() => {
  ({ folder, remove } = buildCommit(before));
  const env = { ...process.env, NODE_ENV: 'production' };
  if (!existsSync('dist')) execFileSync('npm', ['run', '--silent', 'build'], { env, stdio: 'inherit' });
});

describe.each(eachStore())('from the version before to this one, on %s', (_name, { open }) => {
  test('nothing is lost and nothing is mailed twice, and the version before starts no more', async () => {
    const smtp = await startScriptedSmtp();
    onTestFinished(() => smtp.close());
    const running: TestServer[] = [];
    onTestFinished(async () => {
      for (const server of running) await server.end('SIGKILL');
    });
    // The tables of the version before are made by its own server, on a database nobody has opened yet.
    const { store, environment } = await open();
    await store.close();
    await forgetTables(environment);
    const env = { ...environment, ...mailTo(smtp.port), ...trustTheVisitor, LOG_LEVEL: 'info' };
    /** Each under the flags of its own unit. */
    const start = async (project: string, more: Record<string, string> = {}) => {
      const data = environment.DATA_DIR ?? '';
      const { flags, script } = serviceCommand({ project, settings: data, data });
      const settings = { BOT_CHECK_SECRET: testSecret, WEEKLY_LETTER: 'off', ...env, ...more };
      const server = await startProgram(process.execPath, [...flags, script], settings, project);
      running.push(server);
      return server;
    };
    const startBefore = () => start(folder);
    const startThis = (more = {}) => start(process.cwd(), more);
    const acknowledged: string[] = [];
    const sendSome = async (...servers: TestServer[]) => {
      for (let count = 0; count < 10; count++)
        for (const { url } of servers) {
          const receipt = await send(url, 'help', sampleEntries.help, await mintToken());
          if (!isReceipt(receipt)) throw new Error(`Not taken: ${receipt}`);
          acknowledged.push(receipt.reference);
        }
    };

    const old = await startBefore();
    await sendSome(old);
    // Stopped with mail that waits.
    smtp.script.MAIL = '451 later';
    await sendSome(old);
    expect(await old.end()).toBe(0);
    const upgraded = await startThis({ CANARY_AT: farFromNow });
    await sendSome(upgraded);
    smtp.script = {};
    const saysOfCanary = () => upgraded.lines.filter((line) => line.includes('canary')).join();
    await expect.poll(saysOfCanary, { timeout: 60_000 }).toMatch(/canary (succeeded|failed)/);
    expect(await upgraded.end()).toBe(0);
    await expect(startBefore()).rejects.toThrow('The database belongs to a newer version');
    const last = await startThis();
    await sendSome(last);

    await expect
      .poll(() => smtp.accepted.length, { timeout: 300_000, interval: 500 })
      .toBe(acknowledged.length);
    const mailed = smtp.accepted.map(({ raw }) => /^Message-ID: <(.*)@/im.exec(raw)?.[1] ?? '');
    expect(mailed.toSorted()).toEqual(acknowledged.toSorted());
    for (const { lines } of running)
      expect(lines.filter((line) => line.includes('ACCESS_DENIED'))).toEqual([]);
    process.stdout.write(`${acknowledged.length} acknowledged, each mailed once\n`);
  });
});

async function forgetTables({ DATABASE_URL, DATA_DIR = '' }: Record<string, string>): Promise<void> {
  if (!DATABASE_URL) {
    for (const name of readdirSync(DATA_DIR)) rmSync(join(DATA_DIR, name), { recursive: true });
    return;
  }

  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await client.end();
}
