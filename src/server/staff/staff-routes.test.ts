import { expect, test } from 'vitest';
import { prepareApp } from '../../../test/support/app.ts';
import { createClock, storeSubmission } from '../../../test/support/stored-submissions.ts';
import { testSecret } from '../../../test/support/tokens.ts';
import type { StaffView } from '../../model/staff-page.ts';
import type { AppParts } from '../app.ts';
import { StoreUnavailable } from '../store/contract/errors.ts';
import { createStaffKeys } from './staff-key.ts';

const formType = 'application/x-www-form-urlencoded';
/** Older browsers name the origin instead. */
const sameOrigin = { 'sec-fetch-site': 'same-origin' };
const keys = createStaffKeys(testSecret);

async function prepare(changes: Partial<AppParts> = {}) {
  const clock = createClock();
  const site = await prepareApp({ now: clock.now, publicUrl: 'https://trust.example', ...changes });
  const { app, store } = site;
  const reference = await storeSubmission(store, { receivedAt: clock.now(), urgent: true });
  const path = keys.pathFor(reference);
  const open = (url = path) => app.inject({ url });
  const press = (fields: Record<string, string>, headers: Record<string, string> = {}, url = path) =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': formType, ...(headers.origin ? {} : sameOrigin), ...headers },
      payload: new URLSearchParams(fields).toString(),
    });
  /** Presses and follows the redirect, as a browser does. */
  const pressed = async (fields: Record<string, string>) => {
    const { statusCode, headers } = await press(fields);
    expect(statusCode).toBe(303);
    return viewIn(await open(String(headers.location)));
  };
  const followUp = async () => (await store.findSubmission(reference))?.followUp;
  return { ...site, clock, reference, path, open, press, pressed, followUp };
}

/** The renderer of these tests writes what it was given. */
const viewIn = ({ body }: { body: string }): StaffView =>
  JSON.parse(/<body>(.*)<\/body>/s.exec(body)?.[1] ?? '');

test('the page shows reference, form, time, urgency and state, and nothing of what the person wrote', async () => {
  const { open, reference } = await prepare();
  const response = await open();
  expect(viewIn(response)).toEqual({
    kind: 'request',
    reference,
    noun: 'request',
    formTitle: 'Get Help',
    receivedAt: expect.stringMatching(/^Sunday,? 1 March 2026 at 1:00\spm$/),
    isUrgent: true,
    ...{ warning: null, callCard: null, taken: null, answered: null, noContact: null, withdrawn: null },
    message: null,
    typed: '',
  });
  expect(response.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'same-origin',
    'content-security-policy': expect.stringMatching(/^default-src 'none'.*form-action 'self'/),
  });
  expect(response.headers['content-security-policy']).not.toContain('script');
  expect(response.body).not.toContain('<script');
  expect(response.body).toContain('<html lang="en-NZ">');
});

test('a press is recorded, and the page says so; a second person learns that somebody was first, and no name', async () => {
  const { open, pressed, followUp, clock } = await prepare();
  const at = clock.now();
  expect(await pressed({ step: 'taken', by: ' AB ' })).toMatchObject({
    message: 'taken',
    taken: { at: expect.any(String), since: at.getTime() },
  });
  // The same person, who pressed twice; a minute later it is a colleague with the same initials.
  expect(await pressed({ step: 'taken', by: 'AB' })).toMatchObject({ message: 'taken' });
  clock.advance(60_000);
  for (const by of ['AB', 'CD'])
    expect(await pressed({ step: 'taken', by })).toMatchObject({
      message: 'late',
      taken: { since: at.getTime() },
    });
  expect(await followUp()).toMatchObject({ takenBy: 'AB', takenAt: at, answeredBy: null, answeredAt: null });

  const views = [
    await pressed({ step: 'answered', by: 'CD' }),
    await pressed({ step: 'taken', by: 'AB' }),
    await pressed({ step: 'answered', by: 'EF' }),
  ];
  expect(views).toMatchObject(['answered', 'late', 'late'].map((message) => ({ message })));
  expect(await followUp()).toMatchObject({ takenBy: 'AB', answeredBy: 'CD' });
  // Each sees what they have typed themselves, once, and nobody a colleague's name.
  expect(views).toMatchObject(['CD', 'AB', 'EF'].map((typed) => ({ typed })));
  expect(JSON.stringify(viewIn(await open()))).not.toMatch(/AB|CD|EF/);
});

test('of two people who press at once, one is told that the other was first', async () => {
  const { press, followUp } = await prepare();
  const both = await Promise.all(['AB', 'CD'].map((by) => press({ step: 'taken', by })));
  const outcomes = both.map(({ headers }) => String(headers.location).split(/now=|&/)[1]);
  expect(outcomes.toSorted()).toEqual(['late', 'taken']);
  expect((await followUp())?.takenBy).toBe(outcomes[0] === 'taken' ? 'AB' : 'CD');
});

test('a step is undone from the page, and an undo that comes again does not undo what a colleague did since', async () => {
  const { pressed, followUp, clock } = await prepare();
  const since = String(clock.now().getTime());
  expect(await pressed({ undo: 'taken', since })).toMatchObject({ message: 'changed', taken: null });
  await pressed({ step: 'taken', by: 'AB' });
  expect(await pressed({ undo: 'taken', since })).toMatchObject({ message: 'undone', taken: null });
  clock.advance(60_000);
  await pressed({ step: 'taken', by: 'CD' });
  expect(await pressed({ undo: 'taken', since })).toMatchObject({ message: 'changed' });
  expect(await followUp()).toMatchObject({ takenBy: 'CD' });

  await pressed({ step: 'answered', by: 'CD' });
  const answeredAt = String((await followUp())?.answeredAt?.getTime());
  expect(await pressed({ undo: 'answered', since: answeredAt })).toMatchObject({
    message: 'undone',
    answered: null,
  });
  expect(await followUp()).toMatchObject({ takenBy: 'CD', answeredBy: null });
});

test.each(['', '   ', '7', 'A name of more than twenty letters', '<b>AB</b>', 'A\u202eB'])(
  'a name such as “%s” is refused with a message, and stays in its field',
  async (by) => {
    const { press, followUp } = await prepare();
    const response = await press({ step: 'answered', by });
    expect(response.statusCode).toBe(422);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.body).toContain(JSON.stringify({ message: 'name', typed: by }).slice(1));
    expect(await followUp()).toMatchObject({ answeredAt: null });
  },
);

test.each<[string, number, Record<string, string>, Record<string, string>]>([
  ['from another site', 403, { step: 'taken', by: 'AB' }, { 'sec-fetch-site': 'cross-site' }],
  [
    'from another site in an older browser',
    403,
    { step: 'taken', by: 'AB' },
    { origin: 'https://evil.example' },
  ],
  ['to undo from another site', 403, { undo: 'taken', since: '0' }, { 'sec-fetch-site': 'cross-site' }],
  ['to undo nothing in particular', 400, { undo: 'answered', since: 'undefined' }, {}],
  ['without a step', 400, { by: 'AB' }, {}],
  ['with a step that is none', 400, { step: 'erased', by: 'AB' }, {}],
  ['of another type', 415, { step: 'taken', by: 'AB' }, { 'content-type': 'text/plain' }],
  ['that is too long', 413, { step: 'taken', by: 'A'.repeat(3_000) }, {}],
])('a press %s changes nothing, and gets the page', async (_what, status, fields, headers) => {
  const { press, followUp } = await prepare();
  const response = await press(fields, headers);
  expect(response.statusCode).toBe(status);
  expect(viewIn(response)).toMatchObject({ message: 'refused', taken: null });
  expect(await followUp()).toMatchObject({ takenAt: null, answeredAt: null });
});

test('an older browser presses from our own address', async () => {
  const { press } = await prepare();
  const response = await press({ step: 'taken', by: 'AB' }, { origin: 'https://trust.example' });
  expect(response.statusCode).toBe(303);
});

test('without the right key there is one response, rendered once, and the database is not asked', async () => {
  const asked: string[] = [];
  const refuse = (name: string) => async () => {
    asked.push(name);
    throw new Error('asked');
  };
  const store = {
    findSubmission: refuse('findSubmission'),
    ...{ recordStep: refuse('recordStep'), undoStep: refuse('undoStep'), addChange: refuse('addChange') },
    ...{ recordTime: refuse('recordTime'), findTime: refuse('findTime') },
  };
  const { open, press, path, reference, pages } = await prepare({ store });
  let renderings = 0;
  const { render } = pages.renderer;
  pages.renderer.render = (view) => {
    renderings++;
    return render(view);
  };
  const wrong = [
    `/staff/${reference}/${'0'.repeat(32)}`,
    keys.pathFor('CCCC-CCCC').replace('CCCC-CCCC', reference),
    createStaffKeys('another secret').pathFor(reference),
    path.slice(0, -1),
    `${path}/more`,
    `/staff/${reference}`,
    '/staff/x',
    '/staff/%00/..%2f',
  ];
  const responses = await Promise.all(
    wrong.flatMap((url) => [
      open(url),
      press({ step: 'taken', by: 'AB' }, {}, url),
      press({ step: 'taken', by: 'AB' }, { 'sec-fetch-site': 'cross-site' }, url),
      press({ by: 'A'.repeat(3_000) }, {}, url),
      press({}, { 'content-type': 'text/plain' }, url),
    ]),
  );
  const seen = responses.map(({ statusCode, headers: { date: _, connection: __, ...headers }, body }) =>
    JSON.stringify([statusCode, headers, body]),
  );
  expect(new Set(seen).size).toBe(1);
  expect(responses[0]?.statusCode).toBe(404);
  expect(responses[0] && viewIn(responses[0])).toEqual({ kind: 'nothing' });
  expect(asked).toEqual([]);
  expect(renderings).toBe(1);
});

test('after a request was erased, and for the canary, its link gets the response of an address that never was', async () => {
  const { app, open, press, store, reference, path, clock } = await prepare();
  const canary = await storeSubmission(store, { receivedAt: clock.now(), canary: true });
  const never = await open('/staff/none');
  await store.eraseSubmissions([reference]);
  const others = [
    await open(),
    await press({ step: 'taken', by: 'AB' }),
    await press({ undo: 'taken', since: 'undefined' }),
    await open(keys.pathFor(canary)),
    await app.inject({ url: keys.pathFor('CCCC-CCCC') }),
  ];
  for (const { statusCode, headers, body } of others)
    expect([statusCode, { ...headers, date: '' }, body]).toEqual([
      404,
      { ...never.headers, date: '' },
      never.body,
    ]);
  expect((await app.inject({ method: 'HEAD', url: path })).statusCode).toBe(404);
});

test('while the database is away the page says so, and the log names no request', async () => {
  const away = async () => {
    throw new StoreUnavailable('away');
  };
  const store = { findSubmission: away, recordStep: away, undoStep: away, addChange: away };
  const times = { recordTime: away, findTime: away };
  const { open, press, logged, reference, path } = await prepare({ store: { ...store, ...times } });
  const responses = [await open(), await press({ step: 'taken', by: 'AB' })];
  for (const { statusCode, headers } of responses)
    expect([statusCode, headers['retry-after']]).toEqual([503, '60']);
  expect(responses.map(viewIn)).toEqual(
    [false, true].map((isPress) => ({ kind: 'unavailable', reference, isPress })),
  );
  const log = logged.join();
  expect(log).toContain('staff page unavailable');
  expect(log).not.toContain(path.split('/').at(-1));
});
