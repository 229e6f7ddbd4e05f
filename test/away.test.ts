import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Content, readContent } from '../src/server/content/content.ts';
import type { ContentSource } from '../src/server/content/content-source.ts';
import { composeAwayPage, createAwayPage } from '../src/server/pages/away-page.ts';
import { loadBuiltRenderer } from '../src/server/pages/built-renderer.ts';
import { temporaryFolder } from './support/temporary.ts';

/** What a person meets while the site is away: the page that the server writes. */

const content = await readContent('content');
const renderer = await loadBuiltRenderer();
const compose = (posted = false, changed: Partial<Content> = {}) =>
  composeAwayPage(renderer, { ...content, ...changed }, posted, new Date());

describe('the page', () => {
  test('has 111 first, every helpline, the trust’s own number and address, and the way out', async () => {
    for (const posted of [false, true]) {
      const html = await compose(posted);
      const { lines } = content.helplines;
      const numbers = ['111', ...lines.flatMap(({ phone }) => phone ?? []), content.site.phone ?? ''];
      for (const number of numbers) expect(html).toContain(`href="tel:${number.replaceAll(' ', '')}"`);
      expect(html).toContain(`href="mailto:${content.site.email}"`);
      expect(html).toMatch(new RegExp(`<a href="${content.site.leave.address}" rel="[^"]*noreferrer`));
      expect(/<a [^>]*href="(?!https)([^"]*)"/.exec(html)?.[1]).toBe('tel:111');
    }
  });

  test('says of a form that it was not sent, and leads nobody away from it', async () => {
    const { notSent, tryAgain } = content.site.away;
    const [page, answer] = [await compose(false), await compose(true)];
    expect([page.includes(notSent.heading), answer.includes(notSent.heading)]).toEqual([false, true]);
    expect([page.includes(tryAgain), answer.includes(tryAgain)]).toEqual([true, false]);
  });

  test('fetches nothing and runs nothing, is small, and allows itself its own styles only', async () => {
    const html = await compose();
    expect(html).not.toMatch(/<script|<form|<iframe|url\((?!data:)/);
    const fetched = [...html.matchAll(/(?:src|<link[^>]*href)="([^"]*)"/g)].map(
      ([, address = '']) => address,
    );
    expect(fetched.filter((address) => !address.startsWith('data:'))).toEqual([]);
    const [, css = ''] = /<style>(.*)<\/style>/s.exec(html) ?? [];
    const hash = createHash('sha256').update(css).digest('base64');
    expect(html).toContain(`style-src 'sha256-${hash}'`);
    expect(Buffer.byteLength(html)).toBeLessThan(40_000);
  });

  test('has a trust’s colours, and tells no more in the tab than the other pages', async () => {
    const site = { ...content.site, discreetTitles: true };
    const html = await compose(false, { site, theme: { primary: '#123456' } });
    expect(html).toContain('--primary:#123456');
    expect(html).toContain('<title>Welcome</title>');
  });
});

describe('the files', () => {
  function prepare(folder: string) {
    const world = { content };
    let change: (content: Content) => void | Promise<void> = () => {};
    const source: ContentSource = {
      current: () => world.content,
      fault: () => null,
      onChange(listener) {
        change = listener;
        return () => {};
      },
      close() {},
    };
    const warnings: unknown[] = [];
    const log = { warn: (line: unknown) => void warnings.push(line) };
    const write = createAwayPage({ folder, renderer, content: source, now: () => new Date(), log });
    return { write, world, warnings, change: () => change(world.content) };
  }

  test('can be read by the web server’s user, whatever the umask, and follow the content', async () => {
    const before = process.umask(0o077);
    onTestFinished(() => void process.umask(before));
    const folder = temporaryFolder();
    const { write, world, change } = prepare(folder);
    await write();
    expect(readdirSync(folder).toSorted()).toEqual(['away-post.html', 'away.html']);
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o644);
    world.content = { ...content, site: { ...content.site, phone: '0800 111 222' } };
    await change();
    for (const file of readdirSync(folder))
      expect(readFileSync(join(folder, file), 'utf8')).toContain('tel:0800111222');
  });

  test('that cannot be written are logged, and do not end the server', async () => {
    const blocked = join(temporaryFolder(), 'file');
    writeFileSync(blocked, '');
    const { write, warnings } = prepare(blocked);
    await write();
    expect(warnings).toMatchObject([{ event: 'away page not written' }]);
  });
});
