import { expect, test } from 'vitest';
import { prepareApp } from '../../../test/support/app.ts';
import { shippedContent, stillContent } from '../../../test/support/forms.ts';
import type { OwnPage } from '../../model/own-page.ts';

const about: OwnPage = {
  name: 'about-us',
  title: 'About {organisation}',
  subtitle: '',
  description: 'Who we are <and> why',
  menuLabel: 'About us',
  article: [],
};
const unlisted: OwnPage = { ...about, name: 'thanks', title: 'Thanks', menuLabel: undefined };

async function serve(ownPages: OwnPage[], site = shippedContent.site) {
  const { app } = await prepareApp({ content: stillContent({ ...shippedContent, site, ownPages }) });
  return (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
    app.inject({ method, url, headers });
}

test('a page of the trust’s own is sent whole, with a policy, and not again where nothing changed', async () => {
  const ask = await serve([about]);
  const { statusCode, body, headers } = await ask('/about-us');
  expect(statusCode).toBe(200);
  expect(body).toContain('<title>About Kōwhai Family Support Centre</title>');
  expect(body).toContain('content="Who we are &lt;and&gt; why"');
  expect(body.endsWith('</body></html>')).toBe(true);
  expect(headers['cache-control']).toBe('no-cache');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect((await ask('/about-us', { 'if-none-match': String(headers.etag) })).statusCode).toBe(304);
  const head = await ask('/about-us', {}, 'HEAD');
  expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', headers.etag]);
});

test('an own page has no data and no script but the one inside it', async () => {
  const { body } = await (await serve([about]))('/about-us');
  expect(body.match(/<script.*?>/g)).toEqual(['<script>']);
  expect(body).not.toContain('name="description" content="Ask');
});

test('an own page has one address, and takes no post', async () => {
  const ask = await serve([about]);
  for (const url of ['/about-us/', '/%61bout-us', '/about-us?x=1'])
    expect([url, (await ask(url)).headers.location]).toEqual([
      url,
      url.includes('?') ? undefined : '/about-us',
    ]);
  for (const url of ['/about', '/constructor', '/__proto__'])
    expect([url, (await ask(url)).headers.location]).toEqual([url, '/']);
  for (const url of ['/health', '/graphql', '/favicon.ico', '/.env'])
    expect([url, (await ask(url)).statusCode]).toEqual([url, 404]);
  expect((await ask('/about-us', {}, 'POST')).statusCode).toBe(404);
});

test('with discreet titles the title of an own page says nothing either', async () => {
  const ask = await serve([about], { ...shippedContent.site, discreetTitles: true });
  const { body } = await ask('/about-us');
  expect(body).toContain('<title>Welcome</title>');
  expect(body).not.toContain('og:description');
});

test('the other pages link to own pages with a menu label, and without any are as before', async () => {
  const withPages = await (await serve([about, unlisted]))('/help');
  expect(withPages.body).toContain('"menu":[{"path":"/about-us","label":"About us"}]');
  expect((await (await serve([unlisted]))('/help')).body).not.toContain('"menu":[');
});
