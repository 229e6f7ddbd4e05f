import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eachStore } from '../support/each-store.ts';
import { sampleEntries } from '../support/forms.ts';
import { buildCommit } from '../support/release.ts';
import { mailTo, startScriptedSmtp } from '../support/scripted-smtp.ts';
import { startProgram, startServer, type TestServer } from '../support/server.ts';
import { mintToken, testSecret } from '../support/tokens.ts';
import { isReceipt, send, trustTheVisitor } from '../support/visitor.ts';

/**
 * The version before and this one, on one database, with people sending all the while: `npm run test:long`. It takes
 * the other version out of the project's history, so it is no part of `npm test`.
 */
const before = process.env.UPGRADE_FROM ?? '08475ed1788394d589910cf39d988a26ccdf0572';

let folder = '';
let remove = () => {};
afterAll(() => remove());

beforeAll(() => {
  ({ folder, remove } = buildCommit(before));
  const env = { ...process.env, NODE_ENV: 'production' };
  if (!existsSync('dist')) execFileSync('npm', ['run', '--silent', 'build'], { env, stdio: 'inherit' });
});

describe.each(eachStore())('from the version before to this one and back, on %s', (_name, { open, end }) => {
  afterAll(end);

  test('nothing is lost and nothing is mailed twice, side by side and after a roll-back', async () => {
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
    const startBefore = async () => {
      const settings = { BOT_CHECK_SECRET: testSecret, ...env };
      const server = await startProgram(process.execPath, ['src/server/main.ts'], settings, folder);
      running.push(server);
      return server;
    };
    const startThis = async () => {
      const server = await startServer(env);
      running.push(server);
      return server;
    };
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
    const upgraded = await startThis();
    await sendSome(old, upgraded);
    expect(await old.end()).toBe(0);
    await sendSome(upgraded);
    const again = await startBefore();
    await sendSome(again, upgraded);
    expect(await upgraded.end()).toBe(0);
    await sendSome(again);
    const last = await startThis();
    expect(await again.end()).toBe(0);
    await sendSome(last);

    await expect
      .poll(() => smtp.accepted.length, { timeout: 300_000, interval: 500 })
      .toBe(acknowledged.length);
    const mailed = smtp.accepted.map(({ raw }) => /^Message-ID: <(.*)@/im.exec(raw)?.[1] ?? '');
    expect(mailed.toSorted()).toEqual(acknowledged.toSorted());
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
