import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { prepareApp, type TestApp } from '../../../test/support/app.ts';
import { sampleEntries } from '../../../test/support/forms.ts';
import { mintToken, testSecret } from '../../../test/support/tokens.ts';
import { noScriptFields } from '../../model/no-script-fields.ts';
import type { Posted } from '../../model/page-data.ts';
import { pageDataId } from '../../model/page-data.ts';
import { claimMail } from '../store/contract/mail-jobs.ts';
import { createNoScriptPosts } from './no-script-posts.ts';

const { signTime } = createNoScriptPosts(testSecret, () => new Date());

/** A form's answers as a browser would write them into a post. */
function written(form: 'help' | 'contact', changes: Record<string, string> = {}): URLSearchParams {
  const body = new URLSearchParams();
  for (const { key, value } of sampleEntries[form]) {
    if (Array.isArray(value)) for (const choice of value) body.append(key, choice);
    else if (typeof value === 'string') body.set(key, value);
    else if (value) body.set(key, 'on');
  }
  for (const [name, value] of Object.entries(changes)) body.set(name, value);
  return body;
}

async function post(
  app: TestApp,
  path: string,
  body: URLSearchParams | string,
  headers: Record<string, string> = {},
  remoteAddress = '203.0.113.7',
) {
  const response = await app.inject({
    method: 'POST',
    url: path,
    remoteAddress,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    payload: body.toString(),
  });
  const [, json = '{}'] = new RegExp(`id="${pageDataId}">(.*?)</script>`).exec(response.body) ?? [];
  return { response, posted: JSON.parse(json).posted as Posted };
}

const receiptOf = (posted: Posted) => (posted.status === 'sent' ? posted.receipt : null);

test('a form is stored, flagged, and answered with a page that no cache stores', async () => {
  const { app, store } = await prepareApp();
  const { response, posted } = await post(app, '/help', written('help'));
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(response.headers['content-security-policy']).toContain("form-action 'self'");
  const stored = await store.findSubmission(receiptOf(posted)?.reference ?? '');
  for (const entry of [
    { key: 'FirstName', value: 'Sample' },
    { key: 'LastName', value: '' },
    // In the form's order, whatever the post's.
    { key: 'SupportNeeded', value: ['Counselling', 'Housing'] },
    { key: 'ForSomeoneElse', value: true },
  ])
    expect(stored?.answers).toContainEqual(entry);
  expect(stored?.verdict).toEqual({ kind: 'no-script', doubts: ['undated'] });
});

test('reload, double press, Back and Send: the same answers are one request with one reference', async () => {
  const { app, store } = await prepareApp();
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(app, '/help', written('help'))));
  answers.push(await post(app, '/help', written('help'), {}, '203.0.113.99'));
  const references = answers.map(({ posted }) => receiptOf(posted)?.reference);
  expect(new Set(references).size).toBe(1);
  expect(await store.countSubmissions({})).toMatchObject({ total: 1 });
  const other = await post(app, '/help', written('help', { Message: 'Something else' }));
  expect(receiptOf(other.posted)?.reference).not.toBe(references[0]);
});

test('the same words from pages of two hours are two requests, and sent again from elsewhere they are one', async () => {
  const { app } = await prepareApp();
  const at = Date.now();
  const send = async (hoursAgo: number, address: string) => {
    const sentOut = signTime(new Date(at - hoursAgo * 60 * 60_000));
    const { posted } = await post(app, '/help', written('help', { 'sent-out': sentOut }), {}, address);
    return receiptOf(posted)?.reference;
  };
  const mine = await send(3, '203.0.113.7');
  expect(await send(1, '198.51.100.4')).not.toBe(mine);
  expect(await send(3, '192.0.2.55')).toBe(mine);
});

test('an invalid form comes back with all that was typed and the first error', async () => {
  const { app, store } = await prepareApp();
  const { response, posted } = await post(app, '/contact', written('contact', { Subject: ' ', Message: '' }));
  expect(response.statusCode).toBe(422);
  expect(response.headers['cache-control']).toBe('no-store');
  expect(posted).toMatchObject({
    status: 'invalid',
    problem: { key: 'Subject', message: 'Subject is required' },
    answers: { FirstName: sampleEntries.contact[0]?.value },
  });
  expect(await store.countSubmissions({})).toMatchObject({ total: 0 });
});

test('an unsigned time that comes back is cut to the length of a signed one', async () => {
  const { app } = await prepareApp();
  const { response } = await post(
    app,
    '/help',
    new URLSearchParams({ [noScriptFields.sentOut]: '<'.repeat(9_000) }),
  );
  expect(response.statusCode).toBe(422);
  expect(response.body).toContain(`value="${'&lt;'.repeat(64)}"`);
});

test('a form posted by another site is not stored, and comes back as a form that can be sent from here', async () => {
  const { app, store } = await prepareApp();
  const { response, posted } = await post(app, '/contact', written('contact'), {
    'sec-fetch-site': 'cross-site',
  });
  expect(response.statusCode).toBe(403);
  expect(posted).toMatchObject({ status: 'failed', answers: { FirstName: expect.any(String) } });
  expect(await store.countSubmissions({})).toMatchObject({ total: 0 });
});

test('beyond what people send the mail is held, and no form is refused for how many there were', async () => {
  const { app, store } = await prepareApp();
  const send = (number: number) => post(app, '/contact', written('contact', { Message: `Number ${number}` }));
  for (let number = 1; number <= 61; number++) expect((await send(number)).response.statusCode).toBe(200);
  await post(app, '/contact', written('contact', { Message: 'Mine' }), {}, '203.0.113.8');

  const now = new Date();
  // Ten of the one address, and the neighbour's.
  expect(await claimMail(store, now, 100, 60_000, 'new')).toHaveLength(11);
  const inAWhile = new Date(now.getTime() + 10 * 60_000);
  expect(await claimMail(store, inAWhile, 100, 60_000, 'held')).toHaveLength(51);
});

test('a form with a filled trap field is stored, and its mail held', async () => {
  const { app, store } = await prepareApp();
  const { posted } = await post(
    app,
    '/help',
    written('help', { [noScriptFields.trap]: 'https://spam.example' }),
  );
  const stored = await store.findSubmission(receiptOf(posted)?.reference ?? '');
  expect(stored?.verdict).toEqual({ kind: 'no-script', doubts: ['trap', 'undated'] });
  expect(await claimMail(store, new Date(), 10, 60_000, 'new')).toEqual([]);
});

test('a token that the script could not use itself makes it the same request, and a clean one', async () => {
  const { app, store } = await prepareApp();
  const token = await mintToken();
  const { posted } = await post(app, '/help', written('help', { [noScriptFields.token]: token }));
  const reference = receiptOf(posted)?.reference ?? '';
  expect((await store.findSubmission(reference))?.verdict).toEqual({ kind: 'clean' });
  const again = await post(app, '/help', written('help', { [noScriptFields.token]: token }));
  expect(receiptOf(again.posted)?.reference).toBe(reference);
});

test('a form with an invalid token is not lost', async () => {
  const { app, store } = await prepareApp();
  const { posted } = await post(app, '/help', written('help', { [noScriptFields.token]: 'made up' }));
  const stored = await store.findSubmission(receiptOf(posted)?.reference ?? '');
  expect(stored?.verdict).toMatchObject({ kind: 'no-script' });
});

test('a store that is away gives the form back with its answers', async () => {
  const { app, store } = await prepareApp();
  await store.close();
  const { response, posted } = await post(app, '/help', written('help'));
  expect(response.statusCode).toBe(503);
  expect(posted).toMatchObject({ status: 'failed', answers: { FirstName: sampleEntries.help[0]?.value } });
});

test('where no page can be rendered, the sender is told in words whether the form was stored', async () => {
  const { app, pages } = await prepareApp();
  await app.ready();
  pages.renderPosted = async () => {
    throw new Error('broken');
  };
  const kept = await post(app, '/help', written('help'));
  expect(kept.response.statusCode).toBe(200);
  expect(kept.response.body).toMatch(/^We have it\. If you call us, say this reference\. .*: \w{4}-\w{4}$/);
  const invalid = await post(app, '/help', written('help', { FirstName: '' }));
  expect(invalid.response.statusCode).toBe(422);
  expect(invalid.response.body).toContain('kiaora@kowhai.example');
  expect(invalid.response.headers['cache-control']).toBe('no-store');
});

test('responses to posts are rendered one at a time, also those to a broken post', async () => {
  const { app, pages } = await prepareApp();
  await app.ready();
  const { renderPosted } = pages;
  let running = 0;
  const seen: number[] = [];
  pages.renderPosted = async (...given) => {
    seen.push(++running);
    await nextTurn();
    running--;
    return renderPosted(...given);
  };
  const posts = Array.from({ length: 40 }, (_, n) =>
    n % 2 === 0
      ? post(app, '/help', written('help', { FirstName: '' }))
      : post(app, '/help', '{}', { 'content-type': 'application/json' }),
  );
  await Promise.all(posts);
  expect(seen).toHaveLength(40);
  expect(Math.max(...seen)).toBe(1);
});

test('a body that is too long, or no form, is answered with a page that says how else to reach us', async () => {
  const { app } = await prepareApp();
  const long = await post(app, '/help', `Message=${'x'.repeat(200_000)}`);
  expect(long.response.statusCode).toBe(413);
  expect(long.posted.status).toBe('failed');
  const json = await post(app, '/help', '{}', { 'content-type': 'application/json' });
  expect(json.response.statusCode).toBe(415);
  const none = await post(app, '/help', '');
  expect(none.response.statusCode).toBe(422);
});

test('a message of ten thousand three-byte characters is accepted', async () => {
  const { app } = await prepareApp();
  const { posted } = await post(app, '/help', written('help', { Message: '助'.repeat(10_000) }));
  expect(posted.status).toBe('sent');
});

test('thousands of fields, or one with every odd sign, do no harm', async () => {
  const { app } = await prepareApp();
  const many = await post(app, '/help', `${written('help')}&${'a=b&'.repeat(30_000)}`);
  expect(many.posted.status).toBe('sent');
  const odd = await post(app, '/help', written('help', { FirstName: '</script><b>"\u0000\ud800 %zz' }));
  expect(odd.response.body).not.toContain('</script><b>');
  expect(odd.posted.status).toBe('sent');
});

test('nothing of a posted form is in the log', async () => {
  const { app, logged } = await prepareApp();
  await post(app, '/help', written('help', { Message: 'An unusual word: quokka' }));
  await post(app, '/help', written('help', { Message: 'An unusual word: quokka', FirstName: '' }));
  expect(logged.join('\n')).toContain('"event":"response sent"');
  expect(logged.join('\n')).not.toMatch(/quokka|203\.0\.113/);
});
