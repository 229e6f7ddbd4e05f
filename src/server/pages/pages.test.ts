import { brotliDecompressSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { content, renderPages } from '../../../test/support/rendered-pages.ts';

test('the home page is rendered once a cover and picked at random; nothing is rendered for a visit', async () => {
  const { world, html } = await renderPages();
  expect(world.rendered).toBe(5 + 2);
  const seen = new Set<string>();
  for (world.random = 0; world.random < 1; world.random += 0.1) {
    seen.add(/<h1>home (\d)/.exec(await html('home'))?.[1] ?? '');
  }
  expect([...seen]).toEqual(['0', '1', '2', '3', '4']);
  expect(world.rendered).toBe(5 + 2);
});

test('without photos there is still a home page', async () => {
  const { html } = await renderPages({ covers: 0 });
  expect(await html('home')).toContain('<h1>home 0 2026</h1>');
});

test('a page that was asked for once is found without waiting', async () => {
  const { pages, ask } = await renderPages();
  for (const [name, path] of [
    ['home', '/'],
    ['help', '/help'],
  ] as const) {
    expect(pages.findReady(path)).toBeNull();
    await ask(name);
    expect(pages.findReady(path)?.replyTo({}).status).toBe(200);
  }
  expect(pages.findReady('/none')).toBeNull();
});

test('a page that nobody asks for is compressed all the same, so that its first response is as quick as any', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { pages, ask } = await renderPages();
  await ask('home');
  expect(pages.findReady('/help')).toBeNull();
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  await expect.poll(() => pages.findReady('/help')).not.toBeNull();
});

test('changed content is shown; where it cannot be rendered, the last pages are, and the pages say so', async () => {
  const { pages, world, html, failures, change } = await renderPages();
  world.site = { ...content.site, email: 'other@kowhai.example' };
  await change();
  expect(await html('help')).toContain('other@kowhai.example');
  world.site = { ...content.site, email: 'broken' };
  await change();
  expect(failures).toHaveLength(1);
  expect(pages.areOutdated()).toBe(true);
  expect(await html('help')).toContain('other@kowhai.example');
  world.site = { ...content.site, email: 'third@kowhai.example' };
  await change();
  expect(pages.areOutdated()).toBe(false);
  expect(await html('help')).toContain('third@kowhai.example');
});

test('pages that cannot be rendered at the start are an error', async () => {
  await expect(renderPages({ site: { ...content.site, email: 'broken' } })).rejects.toThrow('broken');
});

test('a form says in which hour it was sent, whoever visits it, and is rendered for nobody anew', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { world, ask, html } = await renderPages();
  const { rendered } = world;
  const sentOut = async () => /name="sent-out" value="([^"]*)"/.exec(await html('help'))?.[1];
  const before = (await ask('help')).headers.etag;
  expect(await sentOut()).toBe('signed 2026-06-01T00');
  world.now = new Date('2026-06-01T00:59:59Z');
  vi.advanceTimersByTime(60_000);
  expect((await ask('help')).headers.etag).toBe(before);
  world.now = new Date('2026-06-01T01:00:00Z');
  // A visit changes nothing: an observer could tell that somebody was there.
  expect((await ask('help')).headers.etag).toBe(before);
  const homeBefore = (await ask('home')).headers.etag;
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  await expect.poll(sentOut).toBe('signed 2026-06-01T01');
  expect((await ask('help')).headers.etag).not.toBe(before);
  expect((await ask('home')).headers.etag).toBe(homeBefore);
  const { body = '' } = await ask('help', { 'accept-encoding': 'br' });
  expect(brotliDecompressSync(body).toString()).toBe(await html('help'));
  expect(world.rendered).toBe(rendered);
  expect(await html('home')).not.toContain('sent-out');
});

test('the answer to a form is a page for one visitor, with the stamp that the form came back with', async () => {
  const { pages, html, policy } = await renderPages();
  const posted = { status: 'failed', answers: { FirstName: '<Sample>' } } as const;
  const { html: answer, headers } = await pages.renderPosted('help', posted, 'signed before "that"');
  expect(answer).toContain('<html lang="en-NZ" data-posted>');
  expect(answer).toContain('"posted":{"status":"failed","answers":{"FirstName":"\\u003cSample>"}}');
  expect(answer).toContain('value="signed before &quot;that&quot;"');
  expect(headers['content-security-policy']).toBe(await policy('help'));
  expect(await html('help')).not.toContain('data-posted');
});
