import { expect, test } from 'vitest';
import { prepareApp, type TestApp } from '../../../test/support/app.ts';
import { stillContent } from '../../../test/support/forms.ts';
import { accent } from '../../../test/support/pseudo-language.ts';
import { translatedContent } from '../../../test/support/translated-content.ts';
import { noScriptFields } from '../../model/no-script-fields.ts';
import type { PageData } from '../../model/page-data.ts';
import { pageDataId } from '../../model/page-data.ts';

const content = stillContent(translatedContent);
const answers = {
  FirstName: 'Sample',
  SafeContact: 'Email',
  Email: 'sample@visitor.example',
  SupportNeeded: 'Housing',
  Message: 'Kia ora',
};

async function post(app: TestApp, path: string, fields: object, site = 'same-origin') {
  const response = await app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site },
    payload: new URLSearchParams({ ...fields }).toString(),
  });
  const [, json = '{}'] = new RegExp(`id="${pageDataId}">(.*?)</script>`).exec(response.body) ?? [];
  return { response, data: JSON.parse(json) as PageData };
}

test('a form in another language is stored in the words of the original, and answered in that language', async () => {
  const { app, store } = await prepareApp({ content });
  const { response, data } = await post(app, '/en-xa/help', answers);
  expect(response.statusCode).toBe(200);
  expect(response.body).toContain('<html lang="en-XA" data-posted>');
  expect([data.language.tag, data.posted?.status]).toEqual(['en-XA', 'sent']);
  const reference = data.posted?.status === 'sent' ? data.posted.receipt.reference : '';
  const stored = await store.findSubmission(reference);
  expect(stored?.answers).toContainEqual({ key: 'SupportNeeded', value: ['Housing'] });
  expect(stored?.language).toBe('en-XA');
});

test('what is wrong is said in that language, and all that was typed comes back', async () => {
  const { app } = await prepareApp({ content });
  const { response, data } = await post(app, '/en-xa/help', { ...answers, FirstName: ' ' });
  expect(response.statusCode).toBe(422);
  expect(data.posted).toMatchObject({
    status: 'invalid',
    problem: { key: 'FirstName', message: accent('First name is required') },
    answers: { Message: 'Kia ora' },
  });
});

test('the same form sent again from another language is the same request', async () => {
  const { app, store } = await prepareApp({ content });
  for (const path of ['/en-xa/help', '/help', '/ar-xb/help'])
    expect((await post(app, path, answers)).data.posted?.status).toBe('sent');
  expect(await store.countSubmissions({})).toMatchObject({ total: 1 });
});

test.each(['/mi/help', '/sm/help', '/no-language/help'])(
  'a form that was read in a language which is not shown any more is not lost: %s',
  async (path) => {
    const { app, store } = await prepareApp({ content });
    const { response, data } = await post(app, path, answers);
    expect([response.statusCode, data.language.tag, data.posted?.status]).toEqual([200, 'en-NZ', 'sent']);
    expect(await store.countSubmissions({})).toMatchObject({ total: 1 });
  },
);

test('a body that is no form is answered in that language too', async () => {
  const { app } = await prepareApp({ content });
  const { response, data } = await post(app, '/en-xa/help', { Message: 'x'.repeat(200_000) });
  expect([response.statusCode, data.language.tag, data.posted?.status]).toEqual([413, 'en-XA', 'failed']);
});

test('where no page can be rendered, the sender is told in that language; where the original can, with it', async () => {
  const { app, pages, logged } = await prepareApp({ content });
  await app.ready();
  const { renderPosted } = pages;
  pages.renderPosted = async (form, posted, sentOut, language) => {
    if (language) throw new Error('broken');
    return renderPosted(form, posted, sentOut, language);
  };
  const inOriginal = await post(app, '/en-xa/help', answers);
  expect([inOriginal.response.statusCode, inOriginal.data.language.tag]).toEqual([200, 'en-NZ']);
  expect(logged.join('')).toContain('response not rendered');
  pages.renderPosted = async () => {
    throw new Error('broken');
  };
  const inWords = await post(app, '/en-xa/help', answers);
  expect(inWords.response.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(inWords.response.body).toContain(accent('We have it.'));
});

test('a button brings the form in another language with all that was typed; nothing is sent or stored', async () => {
  const { app, store, logged } = await prepareApp({ content });
  const typed = {
    ...answers,
    Message: 'quokka',
    [noScriptFields.switchTo]: '',
    [noScriptFields.sentOut]: 'signed',
  };
  for (const [path, tag] of [
    ['/ar-xb/help', 'ar-XB'],
    ['/help', 'en-NZ'],
  ] as const) {
    const { response, data } = await post(app, path, typed);
    expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'no-store']);
    expect([data.language.tag, data.posted?.status]).toEqual([tag, 'switched']);
    expect(data.posted).toMatchObject({
      answers: { FirstName: 'Sample', SafeContact: ['Email'], Message: 'quokka' },
    });
    // The time at which the first page was sent out goes along.
    expect(response.body).toContain('value="signed"');
  }
  expect(await store.countSubmissions({})).toMatchObject({ total: 0 });
  expect(logged.join('')).not.toContain('quokka');
});

test('another site can open the form in a language, but fill in nothing', async () => {
  const { app } = await prepareApp({ content });
  const { response, data } = await post(
    app,
    '/en-xa/help',
    { ...answers, [noScriptFields.switchTo]: '' },
    'cross-site',
  );
  expect([response.statusCode, data.posted]).toEqual([200, { status: 'switched', answers: {} }]);
});

test('a post to any other page in a language is not found', async () => {
  const { app } = await prepareApp({ content });
  for (const path of ['/en-xa', '/en-xa/about-us', '/en-xa/help/more'])
    expect([path, (await post(app, path, answers)).response.statusCode]).toEqual([path, 404]);
});
