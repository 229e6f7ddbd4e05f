import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fillHelp, send } from './forms.ts';
import { expect, test, visit } from './leaving.ts';

/** In front of the site: a request that is sent waits here until `goOn`. */
async function startSlowWay(siteUrl: string, goOn: Promise<void>) {
  const kept = Promise.withResolvers<string>();
  const arrived = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const sending = request.method === 'POST';
    if (sending) {
      arrived.resolve();
      await goOn;
      if (response.destroyed) return kept.resolve('the browser gave up');
    }
    const { method, headers, url = '/' } = request;
    ask(new URL(url, siteUrl), { method, headers }, async (answer) => {
      const text = Buffer.concat(await answer.toArray());
      response.writeHead(answer.statusCode ?? 500, answer.headers).end(text);
      if (sending) kept.resolve(text.toString());
    }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { url, arrived: arrived.promise, kept: kept.promise, stop: () => server.close() };
}

test('a request that is being sent when the visitor leaves is still stored', async ({
  openPage,
  site,
  neutral,
}) => {
  const { promise: goOn, resolve: left } = Promise.withResolvers<void>();
  const way = await startSlowWay(site.url, goOn);
  const page = await openPage({ baseURL: way.url });
  await visit(page, '/help');
  await fillHelp(page);
  await send(page).click();
  await way.arrived;
  await page.getByRole('banner').getByRole('link', { name: 'Quick exit' }).click();
  await page.waitForURL(neutral.url);
  left();
  expect(await way.kept).toMatch(/"reference":"/);
  way.stop();
});
