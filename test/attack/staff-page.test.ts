import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createStaffKeys } from '../../src/server/staff/staff-key.ts';
import { nzDay } from '../../src/server/time/nz-time.ts';
import { attackedServer } from '../support/attacked-server.ts';
import { sampleEntries } from '../support/forms.ts';
import { mailTo, type ScriptedSmtp, startScriptedSmtp } from '../support/scripted-smtp.ts';
import { mintToken, testSecret } from '../support/tokens.ts';
import { isReceipt, send } from '../support/visitor.ts';

/** The link in the mail, in the hands of programs and of people who should not have it. */

const monitorKey = 'a-key-of-the-monitor-alone';
let smtp: ScriptedSmtp;
const server = attackedServer(async () => {
  smtp = await startScriptedSmtp();
  return {
    ...mailTo(smtp.port),
    PUBLIC_URL: 'https://www.trust.example',
    CANARY_AT: 'off',
    WEEKLY_LETTER: 'off',
    LOG_LEVEL: 'debug',
    MONITOR_KEY: monitorKey,
  };
});
afterAll(() => smtp.close());

let reference = '';
let path = '';
let other = '';
beforeAll(async () => {
  const receipts = [];
  for (const form of ['help', 'contact'] as const)
    receipts.push(await send(server.url(), form, sampleEntries[form], await mintToken()));
  const [first = '', second = ''] = receipts.map((receipt) => (isReceipt(receipt) ? receipt.reference : ''));
  // The message may be answered by a reply, so its link comes in a mail of its own.
  await vi.waitUntil(() => smtp.accepted.length === 3, { timeout: 20_000 });
  const links = await Promise.all(
    smtp.accepted.map(async ({ raw }) => {
      const { text = '' } = await PostalMime.parse(raw);
      return /https:\/\/www\.trust\.example(\/staff\/\S+)/.exec(text)?.[1] ?? '';
    }),
  );
  reference = first;
  path = links.find((link) => link.includes(first)) ?? '';
  other = links.find((link) => link.includes(second)) ?? '';
});

const ask = (address: string, options: RequestInit = {}) =>
  fetch(server.url() + address, { redirect: 'manual', ...options });
const press = (address: string, fields: Record<string, string>, headers = {}) =>
  ask(address, { method: 'POST', body: new URLSearchParams(fields), headers });

function readState() {
  using db = new DatabaseSync(join(server.dataDir, 'awhina.sqlite'), { readOnly: true });
  return db.prepare('SELECT taken_by, answered_by, answered_at FROM submissions ORDER BY id').all();
}
const keys = createStaffKeys(testSecret);
const letter = { day: nzDay(new Date()), form: 'help' } as const;
function countSigns() {
  using db = new DatabaseSync(join(server.dataDir, 'awhina.sqlite'), { readOnly: true });
  return db.prepare(`SELECT count(*) AS signs FROM times WHERE name LIKE 'mailbox %'`).get()?.signs;
}
const untouched = { taken_by: null, answered_by: null, answered_at: null };

test('a mail scanner that opens the link, follows what it finds and tries other methods changes nothing', async () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'])
    for (const query of ['', '?now=taken', '?step=taken&by=AB', '?undo=answered&since=0'])
      await (await ask(path + query, { method })).text();
  const html = await (await ask(path)).text();
  expect(html).toContain(reference);
  const found = [...html.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, to = '']) => to);
  expect(found).toEqual(expect.arrayContaining(['?', '/favicon.svg']));
  for (const to of found) expect((await ask(new URL(to, `http://x${path}`).href.slice(8))).status).toBe(200);
  expect(readState()).toEqual([untouched, untouched]);
});

test('a mail scanner that opens the link in a letter, or presses from elsewhere, does not show that a person read it', async () => {
  const path = keys.pathForLetter(letter);
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'])
    for (const query of ['', '?now=read']) await (await ask(path + query, { method })).text();
  const html = await (await ask(path)).text();
  expect(html).toContain('I have read this letter');
  const found = [...html.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, to = '']) => to);
  for (const to of found) expect((await ask(new URL(to, `http://x${path}`).href.slice(8))).status).toBe(200);
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
    expect((await press(path, {}, headers)).status).toBe(403);
  expect(countSigns()).toBe(0);
  expect((await press(path, {}, { 'sec-fetch-site': 'same-origin' })).status).toBe(303);
  expect(countSigns()).toBe(1);
  expect(server.output()).not.toContain(path.split('/').at(-1));
});

test('guessed keys, old keys, the key of another request and a reference that never was: one response for all', async () => {
  const key = path.split('/').at(-1) ?? '';
  const never = 'CCCC-CCCC';
  const wrong = [
    `/staff/${reference}/${'0'.repeat(32)}`,
    `/staff/${reference}/${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
    `/staff/${reference}/${other.split('/').at(-1)}`,
    `/staff/${never}/${key}`,
    createStaffKeys('an old secret').pathFor(reference),
    createStaffKeys(testSecret).pathFor(never),
    `/staff/${reference.toLowerCase()}/${key}`,
    `/staff/${reference}`,
    `/staff/${'A'.repeat(8_000)}`,
    '/staff/..%2f..%2fetc/passwd',
    createStaffKeys('an old secret').pathForLetter(letter),
    keys.pathForLetter({ ...letter, day: '2020-01-06' }),
    keys.pathForLetter(letter).replace(/letter\/.{10}/, 'letter/test-0123456789abcdef'),
    keys.pathForLetter(letter).replace('letter/', `letter/${reference}/`),
    `/staff/letter/${letter.day}/${key}`,
  ];
  const seen = new Set<string>();
  for (const address of wrong)
    for (const response of [
      await ask(address),
      await press(address, { step: 'answered', by: 'AB' }),
      await press(address, { undo: 'taken', since: '0' }, { 'sec-fetch-site': 'cross-site' }),
    ]) {
      const { date: _, ...headers } = Object.fromEntries(response.headers);
      seen.add(JSON.stringify([response.status, headers, await response.text()]));
    }
  expect([...seen]).toHaveLength(1);
  expect([...seen][0]).toMatch(/^\[404,.*"no-store".*There is nothing here/);
  expect(readState()).toEqual([untouched, untouched]);
});

test('a page of another site that knows the address cannot press', async () => {
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ])
    expect((await press(path, { step: 'answered', by: 'AB' }, headers)).status).toBe(403);
  expect(readState()).toEqual([untouched, untouched]);
});

test('a press is recorded; the log and the metrics have neither reference, key nor name', async () => {
  const response = await press(path, { step: 'taken', by: 'Zebedee' }, { 'sec-fetch-site': 'same-origin' });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toMatch(/\/staff\/.*\?now=taken&as=[0-9a-f]{18}$/);
  expect(readState()).toContainEqual({ ...untouched, taken_by: 'Zebedee' });
  const page = await ask(`${path}?now=taken`);
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const html = await page.text();
  expect(html).toContain('somebody on your team is on it');
  expect(html).not.toContain('Zebedee');

  const metrics = await (
    await ask('/metrics', { headers: { authorization: `Bearer ${monitorKey}` } })
  ).text();
  expect(metrics).toMatch(/kind="staff",status="2xx"\} [1-9]|status="2xx",kind="staff"\} [1-9]/);
  const key = path.split('/').at(-1) ?? 'none';
  const ofPage = server
    .output()
    .split('\n')
    .filter((line) => line.includes('/staff/'));
  expect(ofPage.length).toBeGreaterThan(0);
  for (const text of [metrics, ofPage.join('\n')]) {
    expect(text).not.toContain(reference);
    expect(text).not.toContain('Zebedee');
  }
  for (const text of [metrics, server.output()]) expect(text).not.toContain(key);
});

test('somebody who has the link learns no name, and an old link of an answered request opens nothing', async () => {
  const since = Date.now();
  await press(other, { step: 'taken', by: 'Zebedee' });
  await press(other, { step: 'answered', by: 'Marigold' });
  const pages = [
    ...['', '?now=taken', '?now=answered', '?now=late', '?now=undone', '?now=changed'].map((query) =>
      ask(other + query),
    ),
    ...['', 'Zebedee', 'Marigold', 'A guess'].flatMap((by) =>
      ['taken', 'answered'].map((step) => press(other, { step, by })),
    ),
    press(other, { undo: 'answered', since: '0' }),
    press(other, { step: 'answered', by: 'A guess' }, { 'sec-fetch-site': 'cross-site' }),
  ];
  for (const response of await Promise.all(pages)) {
    const seen = JSON.stringify([...response.headers]) + (await response.text());
    expect(seen).not.toMatch(/Zebedee|Marigold/);
  }
  {
    using db = new DatabaseSync(join(server.dataDir, 'awhina.sqlite'));
    const days = (count: number) => new Date(since - count * 24 * 3_600_000).toISOString();
    db.prepare("UPDATE submissions SET answered_at = ? WHERE answered_by = 'Marigold'").run(days(8));
  }
  const wrong = await ask(`/staff/${other.split('/')[2]}/${'0'.repeat(32)}`);
  const ended = await ask(other);
  expect([ended.status, await ended.text()]).toEqual([404, await wrong.text()]);
});

test('no public page, list or file names the page', async () => {
  for (const address of [
    '/',
    '/help',
    '/contact',
    '/robots.txt',
    '/sitemap.xml',
    '/.well-known/security.txt',
  ])
    expect(await (await ask(address)).text()).not.toContain('/staff');
});
