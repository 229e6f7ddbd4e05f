import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { submitMutations } from '../../src/model/operations.ts';
import { prepareApp } from '../support/app.ts';
import { sampleEntries, withAnswer } from '../support/forms.ts';
import { listen } from '../support/raw-http.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { mintToken, solve } from '../support/tokens.ts';
import { isReceipt, send } from '../support/visitor.ts';

/** Of the outcomes of a submission, the codes of errors are the others. */
const aReceipt = { reference: expect.any(String), receivedAt: expect.any(String) };

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

test('junk from an address does not prevent a form from the same address', async () => {
  const { server, sendGood, sendJunk } = await startShared();
  const forged = await mintToken({ secret: 'somebody else, who is guessing at it' });
  const refusals = new Map<unknown, number>();
  for (let n = 0; n < 200; n++) {
    const code = await sendJunk(n % 2 === 0 ? 'junk' : forged);
    refusals.set(code, (refusals.get(code) ?? 0) + 1);
  }
  // Where the bound is, nobody can tell beforehand: from 60 to 90.
  const failed = refusals.get('BOT_CHECK_FAILED') ?? 0;
  expect(failed).toBeGreaterThanOrEqual(60);
  expect(failed).toBeLessThanOrEqual(90);
  expect(refusals.get('RATE_LIMITED')).toBe(200 - failed);
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
  expect(await sendGood()).toEqual(aReceipt);
});

test('more good forms than people send are all stored, and those over the limit are flagged for staff', async () => {
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

/** In this process: one server less to start, over real sockets all the same. */
async function listenShared(): Promise<string> {
  const { app } = await prepareApp();
  return `http://127.0.0.1:${await listen(app)}`;
}

test('no two visitors get the same challenge, which only one of them could use', async () => {
  const url = await listenShared();
  const ask = async () => (await fetch(`${url}/bot-check/challenge`)).json();
  for (let asked = 0; asked < 250; asked += 50) await Promise.all(Array.from({ length: 50 }, ask));
  const [attackers, mine] = await Promise.all([ask(), ask()]);
  const other = withAnswer(sampleEntries.help, 'Message', 'Something else');
  expect(await send(url, 'help', other, await solve(attackers))).toEqual(aReceipt);
  expect(await send(url, 'help', sampleEntries.help, await solve(mine))).toEqual(aReceipt);
});

/** As a browser posts it by itself. */
async function postPlain(url: string, message: string): Promise<number> {
  const body = new URLSearchParams({
    FirstName: 'Sample',
    Email: 'sample@visitor.example',
    Subject: 'A sample message',
    Message: message,
  });
  const response = await fetch(`${url}/contact`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body,
  });
  await response.text();
  return response.status;
}

test('while somebody at the same address posts without pause, a form gets through: with a script, without one, a long one', async () => {
  const url = await listenShared();
  let posted = 0;
  let isOver = false;
  const refused: number[] = [];
  const flood = Array.from({ length: 20 }, async (_, attacker) => {
    while (!isOver) {
      const status = await postPlain(url, `${attacker} ${posted++}`);
      if (status !== 200) refused.push(status);
    }
  });
  await expect.poll(() => posted).toBeGreaterThan(100);
  const challenge = await (await fetch(`${url}/bot-check/challenge`)).json();
  const results = await Promise.all([
    postPlain(url, 'A person'),
    postPlain(url, `A person with much to say: ${'ā'.repeat(9_000)}`),
    send(url, 'help', sampleEntries.help, await solve(challenge)),
    fetch(`${url}/help`).then(({ status }) => status),
  ]);
  isOver = true;
  await Promise.all(flood);
  expect([results[0], results[1], results[3]]).toEqual([200, 200, 200]);
  expect(results[2]).toEqual(aReceipt);
  expect(refused).toEqual([]);
});
