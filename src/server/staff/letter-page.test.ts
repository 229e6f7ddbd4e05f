import { expect, test } from 'vitest';
import { prepareApp } from '../../../test/support/app.ts';
import { createClock, storeSubmission } from '../../../test/support/stored-submissions.ts';
import { testSecret } from '../../../test/support/tokens.ts';
import type { StaffLetter } from '../../model/staff-page.ts';
import type { AppParts } from '../app.ts';
import { StoreUnavailable } from '../store/contract/errors.ts';
import { mailboxSign, signOf } from '../store/contract/times.ts';
import { createStaffKeys } from './staff-key.ts';

const keys = createStaffKeys(testSecret);
const sameOrigin = { 'sec-fetch-site': 'same-origin' };
const letter = { day: '2026-02-23', form: 'contact' } as const;
const aTest = { test: '0123456789abcdef' };

async function prepare(changes: Partial<AppParts> = {}) {
  const clock = createClock();
  const site = await prepareApp({ now: clock.now, publicUrl: 'https://trust.example', ...changes });
  const open = (url: string) => site.app.inject({ url });
  const press = (url: string, headers: Record<string, string> = sameOrigin, payload = '') =>
    site.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload,
    });
  return { ...site, clock, open, press };
}

/** The renderer of these tests writes what it was given. */
const viewIn = ({ body }: { body: string }): StaffLetter =>
  JSON.parse(/<body>(.*)<\/body>/s.exec(body)?.[1] ?? '');

test.each([
  ['a Monday letter', letter],
  ['a test mail', aTest],
])('opening the link of %s changes nothing; a press is recorded, and the page says so', async (_what, of) => {
  const { open, press, store, clock } = await prepare();
  const path = keys.pathForLetter(of);
  const isTest = 'test' in of;
  for (const url of [path, `${path}?now=read`]) {
    const response = await open(url);
    expect(response.statusCode).toBe(200);
    expect(viewIn(response)).toEqual({ kind: 'letter', isTest, message: null });
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'same-origin',
    });
    expect(response.headers['content-security-policy']).not.toContain('script');
  }
  expect(await store.findTime(signOf(of))).toBeNull();

  const { statusCode, headers } = await press(path);
  expect([statusCode, headers.location]).toEqual([303, `${path}?now=read`]);
  expect(await store.findTime(signOf(of))).toEqual(clock.now());
  expect(viewIn(await open(String(headers.location)))).toMatchObject({ message: 'read' });
});

test('the press in a letter counts for its own mailbox, and a test for none', async () => {
  const { press, store } = await prepare();
  await press(keys.pathForLetter(letter));
  await press(keys.pathForLetter(aTest));
  expect(await store.findTime(mailboxSign('help'))).toBeNull();
});

test('a page of another site cannot press, nor can a body that is no form', async () => {
  const { press, store } = await prepare();
  const path = keys.pathForLetter(letter);
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
    const response = await press(path, headers);
    expect([response.statusCode, viewIn(response).message]).toEqual([403, 'refused']);
  }
  for (const [headers, payload] of [
    [{ ...sameOrigin, 'content-type': 'text/plain' }, 'x'],
    [sameOrigin, 'x'.repeat(3_000)],
  ] as const) {
    const response = await press(path, headers, payload);
    expect(response.statusCode).toBeGreaterThanOrEqual(413);
    expect(viewIn(response).message).toBe('refused');
  }
  expect(await store.findTime(signOf(letter))).toBeNull();
});

test('without the right key the response is that of any wrong address, and the database is not asked', async () => {
  const asked = async () => {
    throw new Error('asked');
  };
  const { store: real } = await prepare();
  const { open, press } = await prepare({ store: { ...real, recordTime: asked, findTime: asked } });
  const path = keys.pathForLetter(letter);
  const wrong = [
    path.replace('02-23', '02-16'),
    path.slice(0, -1),
    `${path}/more`,
    createStaffKeys('another secret').pathForLetter(letter),
    keys.pathForLetter(aTest).replace('0123', '1123'),
    // A letter that is too old to show anything.
    keys.pathForLetter({ ...letter, day: '2026-01-26' }),
    '/staff/letter/x',
    '/staff/letter',
    '/staff/x',
  ];
  const responses = await Promise.all(
    wrong.flatMap((url) => [
      open(url),
      open(`${url}?now=read`),
      press(url),
      press(url, { 'sec-fetch-site': 'cross-site' }),
      press(url, sameOrigin, 'x'.repeat(3_000)),
      press(url, { 'content-type': 'text/plain' }, 'x'),
    ]),
  );
  const seen = responses.map(({ statusCode, headers: { date: _, connection: __, ...headers }, body }) =>
    JSON.stringify([statusCode, headers, body]),
  );
  expect(new Set(seen).size).toBe(1);
  expect(responses[0]?.statusCode).toBe(404);
});

test('a letter counts for four weeks', async () => {
  const { open, clock } = await prepare();
  const path = keys.pathForLetter(letter);
  clock.advance(22 * 24 * 3_600_000);
  expect((await open(path)).statusCode).toBe(200);
  clock.advance(24 * 3_600_000);
  expect((await open(path)).statusCode).toBe(404);
});

test('a press on the page of a request counts for the mailbox of its form; a command does not', async () => {
  const { press, open, store, clock } = await prepare();
  const reference = await storeSubmission(store, { form: 'contact', receivedAt: clock.now() });
  const path = keys.pathFor(reference);
  await open(path);
  await store.recordStep(reference, 'taken', 'AB', clock.now());
  await press(path, { 'sec-fetch-site': 'cross-site' }, 'step=answered&by=AB');
  for (const refused of ['', 'step=answered&by=7', 'step=erased&by=AB', 'undo=taken'])
    expect((await press(path, sameOrigin, refused)).statusCode).toBeGreaterThanOrEqual(400);
  expect(await store.findTime(mailboxSign('contact'))).toBeNull();
  clock.advance(60_000);
  expect((await press(path, sameOrigin, 'step=answered&by=AB')).statusCode).toBe(303);
  expect(await store.findTime(mailboxSign('contact'))).toEqual(clock.now());
  expect(await store.findTime(mailboxSign('help'))).toBeNull();
});

test('a press of somebody else, by the link in a mail to others, is recorded and shows of no mailbox that it is read', async () => {
  const { press, open, store, clock } = await prepare();
  const reference = await storeSubmission(store, { receivedAt: clock.now() });
  const path = keys.pathForOthers(reference);
  expect((await open(path)).statusCode).toBe(200);
  const { statusCode, headers } = await press(path, sameOrigin, 'step=taken&by=AB');
  expect([statusCode, headers.location]).toEqual([303, expect.stringMatching(`^${path}\\?now=taken&`)]);
  expect((await store.findSubmission(reference))?.followUp).toMatchObject({ takenBy: 'AB' });
  expect(await store.findTime(mailboxSign('help'))).toBeNull();
});

test('while the database is away the page asks for another press, and a step on a request is recorded all the same', async () => {
  const away = async () => {
    throw new StoreUnavailable('away');
  };
  const { store: real } = await prepare();
  const { press, clock } = await prepare({ store: { ...real, recordTime: away, findTime: away } });
  const response = await press(keys.pathForLetter(letter));
  expect([response.statusCode, viewIn(response).message]).toEqual([503, 'unavailable']);
  const reference = await storeSubmission(real, { receivedAt: clock.now() });
  expect((await press(keys.pathFor(reference), sameOrigin, 'step=taken&by=AB')).statusCode).toBe(303);
});
