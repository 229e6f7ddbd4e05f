import { describe, expect, test, vi } from 'vitest';
import { prepareApp } from '../../../test/support/app.ts';
import { stillContent } from '../../../test/support/forms.ts';
import { accent } from '../../../test/support/pseudo-language.ts';
import { renderPages } from '../../../test/support/rendered-pages.ts';
import { translatedContent } from '../../../test/support/translated-content.ts';
import type { OwnPage } from '../../model/own-page.ts';
import type { PageData } from '../../model/page-data.ts';

const publicUrl = 'https://www.kowhai.example';
const about: OwnPage = {
  ...{ name: 'about-us', title: 'About us', subtitle: '', description: 'Who we are', article: [] },
  menuLabel: 'About us',
};

const languages = translatedContent.languages.map((file) => ({
  ...file,
  content: file.content && { ...file.content, ownPages: [{ ...about, title: `About in ${file.tag}` }] },
}));
const content = { ...translatedContent, ownPages: [about], languages };

async function serve(changes: Parameters<typeof prepareApp>[0] = {}) {
  const { app } = await prepareApp({ content: stillContent(content), ...changes });
  return async (url: string) => {
    const { statusCode, headers, body } = await app.inject(url);
    const data = /id="page-data">(.*?)<\/script>/s.exec(body)?.[1];
    return { statusCode, headers, body, data: JSON.parse(data ?? '{}') as PageData };
  };
}

test('every page is there in each language that is offered, with its language and direction', async () => {
  const ask = await serve();
  for (const url of ['/en-xa', '/en-xa/help', '/en-xa/contact', '/en-xa/about-us']) {
    const { statusCode, headers, body } = await ask(url);
    expect([url, statusCode, headers['cache-control']]).toEqual([url, 200, 'no-cache']);
    expect(body).toContain('<!doctype html><html lang="en-XA"><head>');
  }
  expect((await ask('/ar-xb/help')).body).toContain('<!doctype html><html lang="ar-XB" dir="rtl"><head>');
  expect((await ask('/en-xa/about-us')).body).toContain('<h1>About in en-XA</h1>');
  expect((await ask('/help')).body).toContain('<!doctype html><html lang="en-NZ"><head>');
});

test('a page knows its language and those that can be chosen, and has the words of its language', async () => {
  const ask = await serve();
  const { data } = await ask('/en-xa/help');
  expect(data.language).toEqual({ tag: 'en-XA', name: 'Åççéñţš', prefix: '/en-xa' });
  expect(data.languages?.map(({ tag }) => tag)).toEqual(['en-NZ', 'ar-XB', 'en-XA']);
  expect(data.site.form.send).not.toBe(content.site.form.send);
  expect(data.menu).toEqual([{ path: '/about-us', label: 'About us' }]);
  const field = data.forms.help.find(({ key }) => key === 'SafeContact');
  expect(field).toMatchObject({ choices: expect.arrayContaining(['Email']) });
  expect(field).toMatchObject({ choiceLabels: expect.arrayContaining([accent('Email')]) });
  const original = (await ask('/help')).data;
  expect([original.language.tag, original.languages]).toEqual(['en-NZ', data.languages]);
  // Only translated pages say in which language staff answer.
  expect([original.site.form.answerNote, typeof data.site.form.answerNote]).toEqual([undefined, 'string']);
});

test('without a language that is offered there is no list of languages', async () => {
  const ask = await serve({ content: stillContent({ ...content, languages: [] }) });
  expect((await ask('/help')).data).not.toHaveProperty('languages');
  expect((await ask('/en-xa')).headers.location).toBe('/');
});

test('a page in another language has one address; what is missing leads to the home page in that language', async () => {
  const ask = await serve();
  for (const [url, location] of [
    ['/en-xa/', '/en-xa'],
    ['/en-xa/help/?name=Sample', '/en-xa/help'],
    ['/en-xa%2Fhelp', '/en-xa/help'],
    ['/en-xa/nothing', '/en-xa'],
    ['/en-XA/help', '/en-xa/help'],
    ['/en-xa/help/more', '/en-xa'],
    // Not offered: the original's page, for whoever has kept the address.
    ['/mi', '/'],
    ['/mi/help', '/help'],
    ['/mi/about-us', '/about-us'],
    ['/mi/nothing', '/'],
    ['/sm/help', '/help'],
  ])
    expect([url, (await ask(url ?? '')).headers.location]).toEqual([url, location]);
  expect((await ask('/en-xa/none.js')).statusCode).toBe(404);
});

describe('for search engines', () => {
  test('a page names itself and all its languages, with the original for everybody else', async () => {
    const { body } = await (await serve({ publicUrl }))('/en-xa/help');
    expect(body).toContain(`<link rel="canonical" href="${publicUrl}/en-xa/help">`);
    expect(body.match(/<link rel="alternate"[^>]*>/g)).toEqual([
      `<link rel="alternate" hreflang="en-NZ" href="${publicUrl}/help">`,
      `<link rel="alternate" hreflang="x-default" href="${publicUrl}/help">`,
      `<link rel="alternate" hreflang="ar-XB" href="${publicUrl}/ar-xb/help">`,
      `<link rel="alternate" hreflang="en-XA" href="${publicUrl}/en-xa/help">`,
    ]);
    expect(body).toContain('property="og:locale" content="en_XA"');
  });

  test('without PUBLIC_URL there is no absolute address: no alternates and no sitemap', async () => {
    const ask = await serve();
    expect((await ask('/en-xa/help')).body).not.toContain('rel="alternate"');
    expect((await ask('/sitemap.xml')).statusCode).toBe(404);
    expect((await ask('/robots.txt')).body).not.toContain('Sitemap');
  });

  test('the sitemap has every page in every language that is offered, and robots.txt names it', async () => {
    const ask = await serve({ publicUrl, previewLanguages: ['mi'] });
    const { statusCode, headers, body } = await ask('/sitemap.xml');
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
    const addresses = [...body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) =>
      url.replace(publicUrl, ''),
    );
    expect(addresses).toEqual([
      ...['/', '/ar-xb', '/en-xa', '/help', '/ar-xb/help', '/en-xa/help'],
      ...['/contact', '/ar-xb/contact', '/en-xa/contact', '/about-us', '/ar-xb/about-us', '/en-xa/about-us'],
    ]);
    expect(body).toContain(
      `<url><loc>${publicUrl}/en-xa/help</loc><xhtml:link rel="alternate" hreflang="en-NZ" href="${publicUrl}/help"/>`,
    );
    expect((await ask('/robots.txt')).body).toContain(`\nSitemap: ${publicUrl}/sitemap.xml\n`);
  });
});

test('a preview is at its address alone: in no list and in no search engine', async () => {
  const ask = await serve({ publicUrl, previewLanguages: ['mi'] });
  for (const url of ['/mi', '/mi/help', '/mi/about-us']) {
    const { statusCode, headers, body } = await ask(url);
    expect([url, statusCode, headers['x-robots-tag']]).toEqual([url, 200, 'noindex']);
    expect(body).toContain('<meta name="robots" content="noindex">');
    expect(body).not.toContain('rel="alternate"');
  }
  expect((await ask('/mi/help')).data).toMatchObject({ preview: true, language: { name: 'Te reo Māori' } });
  const { body, headers } = await ask('/help');
  expect(body).not.toMatch(/\/mi\b|noindex/);
  expect(headers).not.toHaveProperty('x-robots-tag');
});

test('languages are not rendered at the start, and soon after so that a first response is as quick as any', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { pages, world, ask } = await renderPages({ content });
  expect(world.rendered).toBe(5 + 2);
  await ask('home');
  expect(world.rendered).toBe(5 + 2);
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  await expect.poll(() => pages.findReady('/en-xa/help')).not.toBeNull();
  await expect.poll(() => pages.findReady('/en-xa')).not.toBeNull();
  expect(world.rendered).toBe(3 * (5 + 2));
});

test('a page in another language that cannot be rendered leads to the original, and nothing else suffers', async () => {
  const broken = languages.map((file) => {
    if (file.tag !== 'en-XA' || !file.content) return file;
    const { site } = file.content;
    const pages = { ...site.pages, help: { ...site.pages.help, heading: 'broken' } };
    return { ...file, content: { ...file.content, site: { ...site, pages } } };
  });
  const { pages, failures } = await renderPages({ content: { ...content, languages: broken } });
  expect(await pages.find('/en-xa/help')).toBeNull();
  expect(pages.findInstead('/en-xa/help')).toBe('/help');
  expect(await pages.find('/en-xa/help')).toBeNull();
  expect(failures).toHaveLength(1);
  for (const address of ['/help', '/en-xa', '/en-xa/contact', '/ar-xb/help'])
    expect([address, (await pages.find(address))?.route]).toEqual([address, expect.any(String)]);
  expect(pages.areOutdated()).toBe(false);
});

test('the answer to a form is in the language of the form', async () => {
  const { pages } = await renderPages({ content });
  const posted = { status: 'switched', answers: { FirstName: 'Sample' } } as const;
  const { html } = await pages.renderPosted('help', posted, null, 'ar-XB');
  expect(html).toContain('<html lang="ar-XB" dir="rtl" data-posted>');
  expect(html).toContain('"posted":{"status":"switched","answers":{"FirstName":"Sample"}}');
});

test('changed content is shown in every language', async () => {
  const { pages, world, change } = await renderPages({ content });
  const before = (await pages.find('/en-xa'))?.replyTo({}).headers.etag;
  world.now = new Date('2027-06-01T00:00:00Z');
  await change();
  expect((await pages.find('/en-xa'))?.replyTo({}).headers.etag).not.toBe(before);
});
