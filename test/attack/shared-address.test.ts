import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { submitMutations } from '../../src/model/operations.ts';
import { sampleEntries } from '../support/forms.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { mintToken, solve } from '../support/tokens.ts';
import { isReceipt, send } from '../support/visitor.ts';

/** A refuge, a library, a mobile network; or a site whose proxy nobody named: everyone comes from one address. */
async function startShared() {
  const dataDir = temporaryFolder();
  const server = await startServer({ DATA_DIR: dataDir });
  onTestFinished(async () => void (await server.end()));
  const sendGood = async (token?: string) =>
    send(server.url, 'help', sampleEntries.help, token ?? (await mintToken()));
  const sendJunk = (token: string) => send(server.url, 'help', sampleEntries.help, token);
  return { server, dataDir, sendGood, sendJunk };
}

test('junk from an address does not keep a form from the same address', async () => {
  const { server, sendGood, sendJunk } = await startShared();
  const forged = await mintToken({ secret: 'somebody else, who is guessing at it' });
  const refusals = new Map<unknown, number>();
  for (let n = 0; n < 200; n++) {
    const code = await sendJunk(n % 2 === 0 ? 'junk' : forged);
    refusals.set(code, (refusals.get(code) ?? 0) + 1);
  }
  expect(Object.fromEntries(refusals)).toEqual({ BOT_CHECK_FAILED: 60, RATE_LIMITED: 140 });
  const body = {
    query: submitMutations.help,
    variables: { fields: sampleEntries.help, recaptchaToken: 'junk' },
  };
  const headers = { 'content-type': 'application/json' };
  const post = { method: 'POST', headers, body: JSON.stringify(body) };
  const told = Number((await fetch(`${server.url}/graphql`, post)).headers.get('retry-after'));
  // The window is ten minutes and has only begun; a busy machine may have used up some of it.
  expect(told).toBeGreaterThan(60);
  expect(told).toBeLessThanOrEqual(600);
  expect(isReceipt(await sendGood())).toBe(true);
});

test('more good forms than people send are all kept, and those over the number flagged for staff', async () => {
  const { dataDir, sendGood } = await startShared();
  const results = [];
  for (let n = 0; n < 80; n++) results.push(await sendGood());
  expect(results.every(isReceipt)).toBe(true);
  using db = new DatabaseSync(`${dataDir}/awhina.sqlite`);
  const verdicts = db.prepare('SELECT verdict FROM submissions ORDER BY id').all();
  const many = verdicts.map(({ verdict }) => String(verdict).includes('many'));
  expect(many.filter(Boolean)).toHaveLength(20);
  expect(many.slice(0, 60)).not.toContain(true);
});

test('after a thousand challenges somebody at the same address still gets one, and can send a form with it', async () => {
  const { server, sendGood } = await startShared();
  const ask = async () => (await fetch(`${server.url}/bot-check/challenge`)).json() as Promise<never>;
  for (let asked = 0; asked < 1_000; asked += 50) await Promise.all(Array.from({ length: 50 }, ask));
  expect(isReceipt(await sendGood(await solve(await ask())))).toBe(true);
});
