import type { PageData } from '../../src/model/page-data.ts';
import type { Photo } from '../../src/model/photo.ts';
import { type PageName, routes } from '../../src/model/routes.ts';
import type { Site } from '../../src/model/site.ts';
import { type Content, readContent } from '../../src/server/content/content.ts';
import type { ContentSource } from '../../src/server/content/content-source.ts';
import type { Theme } from '../../src/server/content/theme.ts';
import { createPages } from '../../src/server/pages/pages.ts';

export const content = await readContent('content');

const photoOf = (id: string): Photo => ({
  id,
  alt: `Photo ${id}`,
  avg_color: '#a1b2c3',
  photographer: 'Sample',
  url: '',
  src: { landscape: `/photos/${id}/landscape.jpeg`, medium: `/photos/${id}/medium.jpeg` },
  folder: `/photos/${id}`,
  source: 'library',
});

export interface PagesWorld {
  covers?: number;
  publicUrl?: string;
  theme?: Theme;
  site?: Site;
  now?: string;
  /** Instead of the content that ships. */
  content?: Content;
}

/**
 * Pages with a short fake renderer, and a clock, content and random number to set. Rendering fails for the e-mail address
 * `broken`, and for the heading `broken`.
 */
export async function renderPages({ covers = 5, publicUrl, theme, site, now, ...given }: PagesWorld = {}) {
  const read = given.content ?? content;
  const world = {
    now: new Date(now ?? '2026-06-01T00:00:00Z'),
    random: 0,
    rendered: 0,
    site: site ?? read.site,
  };
  let changeContent: () => unknown = () => {};
  const failures: unknown[] = [];
  const source: ContentSource = {
    current: () => ({ ...read, site: world.site, theme }),
    fault: () => null,
    onChange(listener) {
      changeContent = () => listener(read);
      return () => {};
    },
    close() {},
  };
  const pages = await createPages({
    renderer: {
      assets: {
        css: 'p{color:var(--ink);border-color:var(--primary)}',
        print: '',
        laterStyles: '/assets/later.css',
        early: 'leave()',
        slow: '',
        script: '/assets/entry.js',
        formScript: '/assets/form.js',
        ownScript: '',
      },
      files: new Map(),
      async render(view) {
        if (view.kind === 'own') return { body: `<h1>${view.page.title}</h1>`, css: 'li{margin:0}' };
        if (view.kind !== 'page') return { body: '', css: '' };
        world.rendered++;
        const { page, data } = view;
        const { email, pages } = data.site;
        if (email === 'broken' || pages[page].heading === 'broken') throw new Error('broken');
        const css = page === 'home' ? 'dl{color:var(--ink)}' : '';
        return { body: `<h1>${page} ${data.cover} ${data.year}</h1>`, css };
      },
    },
    content: source,
    photos: {
      description: 'test',
      search: async (_query, count = 1) =>
        Array.from({ length: Math.min(count, covers) }, (_, id) => photoOf(`${id}`)),
      onChange: () => () => {},
    },
    botCheck: { kind: 'altcha', challengePath: '/bot-check/challenge' },
    retentionDays: 30,
    unseenRetentionDays: 90,
    publicUrl,
    previewLanguages: [],
    signTime: (at) => `signed ${at.toISOString().slice(0, 13)}`,
    now: () => world.now,
    random: () => world.random,
    onFailed: (error) => failures.push(error),
  });
  const ask = async (page: PageName, headers = {}) => {
    const found = await pages.find(routes[page].path);
    if (!found) throw new Error(`There is no page ${page}`);
    return found.replyTo(headers);
  };
  const html = async (page: PageName) => String((await ask(page)).body);
  const data = async (page: PageName): Promise<PageData> =>
    JSON.parse(/id="page-data">(.*?)<\/script>/s.exec(await html(page))?.[1] ?? '');
  const policy = async (page: PageName) => (await ask(page)).headers['content-security-policy'] ?? '';
  return { pages, world, ask, html, data, policy, failures, change: () => changeContent() };
}
