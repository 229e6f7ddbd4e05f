import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import type { PageData } from '../../model/page-data.ts';
import type { Photo } from '../../model/photo.ts';
import { readContent } from '../content/content.ts';
import type { ContentSource } from '../content/content-source.ts';
import type { Theme } from '../content/theme.ts';
import { addDays } from '../time/nz-time.ts';
import type { Page } from './cached-page.ts';
import { createPages } from './pages.ts';
import type { Renderer } from './renderer.ts';

const content = await readContent('content');

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

const policyOf = ({ headers }: Page) => headers['content-security-policy'];

interface World {
  covers?: number;
  publicUrl?: string;
  theme?: Theme;
  packAfterMs?: number;
}

function prepare({ covers = 5, publicUrl, theme, packAfterMs }: World = {}) {
  const world = { now: new Date('2026-06-01T00:00:00Z'), random: 0, rendered: 0, site: content.site };
  let changeContent: () => unknown = () => {};
  const failures: unknown[] = [];
  const source: ContentSource = {
    current: () => ({ ...content, site: world.site, theme }),
    fault: () => null,
    onChange(listener) {
      changeContent = () => listener(content);
      return () => {};
    },
    close() {},
  };
  const renderer: Renderer = {
    assets: {
      css: 'p{color:var(--ink);border-color:var(--primary)}',
      early: 'leave()',
      script: '/assets/entry.js',
      formScript: '/assets/form.js',
      ownScript: '',
    },
    files: new Map(),
    async render(page: string, data: PageData) {
      world.rendered++;
      if (data.site.email === 'broken') throw new Error('broken');
      return `<h1>${page} ${data.cover} ${data.year}</h1>`;
    },
    renderOwn: async ({ page }) => ({ body: `<h1>${page.title}</h1>`, css: 'li{margin:0}' }),
    renderAway: async () => ({ body: '', css: '' }),
  };
  const pages = createPages({
    renderer,
    content: source,
    photos: {
      description: 'test',
      search: async (_query, count = 1) =>
        Array.from({ length: Math.min(count, covers) }, (_, id) => photoOf(`${id}`)),
      onChange: () => () => {},
    },
    botCheck: { kind: 'altcha', challengePath: '/bot-check/challenge' },
    retentionDays: 30,
    publicUrl,
    signTime: (at) => `signed ${at.toISOString()}`,
    now: () => world.now,
    random: () => world.random,
    ...(packAfterMs === undefined ? {} : { packAfterMs }),
    onFailed: (error) => failures.push(error),
  });
  const html = async (page: 'home' | 'help') => (await pages.get(page)).file.bodies.identity.toString();
  return { pages, world, html, failures, change: () => changeContent() };
}

test('a page is there at once, and at its smallest a little later, under another name', async () => {
  const { pages, world } = prepare({ packAfterMs: 0 });
  world.site = { ...content.site, address: 'Some words of an address, over and over. '.repeat(200) };
  await pages.start(async () => ({}));
  const quick = (await pages.get('home')).file;
  await expect.poll(async () => (await pages.get('home')).file.hash).not.toBe(quick.hash);
  const small = (await pages.get('home')).file;
  expect(quick.hash).toBe(`${small.hash}-quick`);
  expect(small.bodies.identity).toEqual(quick.bodies.identity);
  expect(small.bodies.br.length).toBeLessThan(quick.bodies.br.length);
  expect(brotliDecompressSync(small.bodies.br)).toEqual(small.bodies.identity);
  await pages.close();
});

test('the home page is kept once a cover and picked at random; nothing is rendered for a visit', async () => {
  const { pages, world, html } = prepare();
  await pages.start(async () => ({}));
  expect(world.rendered).toBe(5 + 2);
  const seen = new Set<string>();
  for (world.random = 0; world.random < 1; world.random += 0.1) {
    seen.add(/<h1>home (\d)/.exec(await html('home'))?.[1] ?? '');
  }
  expect([...seen]).toEqual(['0', '1', '2', '3', '4']);
  expect(world.rendered).toBe(5 + 2);
});

test('without photos there is still a home page', async () => {
  const { pages, html } = prepare({ covers: 0 });
  await pages.start(async () => ({}));
  expect(await html('home')).toContain('<h1>home 0 2026</h1>');
});

const closures = [
  { from: '2026-12-24', until: '2027-01-11' },
  { from: '2027-04-02', until: '2027-04-05' },
  { from: '2027-09-24', until: '2027-09-28' },
];
const said = (page: string) => [
  /(\d{4})<\/h1>/.exec(page)?.[1],
  /"notice":"We (are|will)/.exec(page)?.[1] ?? 'open',
];

test('pages change at midnight in New Zealand, over months and both changes of the clocks, and nothing else renders them', async () => {
  const { pages, world, html } = prepare();
  world.site = { ...content.site, closed: closures };
  world.now = new Date('2026-12-01T00:00:00Z');
  await pages.start(async () => ({}));
  const changes: string[] = [];
  const { rendered } = world;
  // For ten months somebody comes by in the minutes around midnight, in summer's time and in winter's, and in between.
  const minutes = ['00:00', '10:59', '11:00', '11:59', '12:00', '12:59', '13:00', '20:00'];
  for (let visit = 0; visit < 305 * minutes.length; visit++) {
    const day = addDays('2026-12-01', Math.floor(visit / minutes.length));
    world.now = new Date(`${day}T${minutes[visit % minutes.length]}:00Z`);
    const before = world.rendered;
    await pages.get('home');
    if (world.rendered === before) continue;
    const [year, closed] = said(await html('home'));
    changes.push(`${world.now.toISOString().slice(0, 16)} ${year} ${closed}`);
  }
  expect(changes).toEqual([
    '2026-12-16T11:00 2026 will',
    '2026-12-23T11:00 2026 are',
    '2026-12-31T11:00 2027 are',
    '2027-01-10T11:00 2027 open',
    '2027-03-25T11:00 2027 will',
    '2027-04-01T11:00 2027 are',
    '2027-04-04T12:00 2027 open',
    '2027-09-16T12:00 2027 will',
    '2027-09-23T12:00 2027 are',
    '2027-09-27T11:00 2027 open',
  ]);
  expect(world.rendered - rendered).toBe(changes.length * rendered);
});

test('a page of yesterday is never found ready, not changed or confirmed; a clock that jumps is followed both ways', async () => {
  const { pages, world, html } = prepare();
  world.site = { ...content.site, closed: closures };
  world.now = new Date('2026-12-23T10:59:59Z');
  await pages.start(async () => ({}));
  const etagOf = async (page: 'home' | 'help') =>
    (await pages.get(page)).ready.replyTo({}).headers.etag ?? '';
  const etags = { home: await etagOf('home'), help: await etagOf('help') };
  expect(pages.findReady('/')).not.toBeNull();
  world.now = new Date('2026-12-23T11:00:00Z');
  expect([pages.findReady('/'), pages.findReady('/help')]).toEqual([null, null]);
  // Whoever comes first waits for the pages, and so does who comes meanwhile.
  const { rendered } = world;
  const both = await Promise.all([pages.get('home'), pages.get('help')]);
  expect(both.map(({ file }) => said(file.bodies.identity.toString())[1])).toEqual(['are', 'are']);
  expect(world.rendered - rendered).toBe(5 + 2);
  for (const name of ['home', 'help'] as const)
    expect((await pages.get(name)).ready.replyTo({ 'if-none-match': etags[name] }).status).toBe(200);
  world.now = new Date('2031-07-01T00:00:00Z');
  expect(said(await html('help'))).toEqual(['2031', 'open']);
  world.now = new Date('2026-12-23T10:59:00Z');
  expect(said(await html('help'))).toEqual(['2026', 'will']);
});

test('the answer to a form that comes first on a new day is of that day; pages that could not be made are tried again', async () => {
  const { pages, world, html, failures } = prepare();
  world.site = { ...content.site, closed: closures };
  world.now = new Date('2026-12-23T10:59:59Z');
  await pages.start(async () => ({}));
  const working = world.site;
  world.site = { ...working, email: 'broken' };
  world.now = new Date('2026-12-23T11:00:00Z');
  expect(said(await html('help'))).toEqual(['2026', 'will']);
  expect(failures).toHaveLength(1);
  world.site = working;
  world.now = new Date('2026-12-23T11:01:00Z');
  const answer = await pages.answer('help', { status: 'failed', answers: {} }, null);
  expect(said(answer.html)).toEqual(['2026', 'are']);
});

test('without a closure a page has not a byte about one', async () => {
  const { pages, html } = prepare();
  await pages.start(async () => ({}));
  expect(await html('help')).not.toContain('closed');
});

test('changed content is taken up; where it cannot be rendered, the last pages stay', async () => {
  const { pages, world, html, failures, change } = prepare();
  await pages.start(async () => ({}));
  world.site = { ...content.site, email: 'other@kowhai.example' };
  await change();
  expect(await html('help')).toContain('other@kowhai.example');
  world.site = { ...content.site, email: 'broken' };
  await change();
  expect(failures).toHaveLength(1);
  expect(await html('help')).toContain('other@kowhai.example');
});

test('the questions are the answers of the documents the browser would send', async () => {
  const { pages, html } = prepare();
  const asked: string[] = [];
  await pages.start(async (document) => {
    asked.push(document.split(' ')[1] ?? '');
    return { data: { getHelpForm: content.forms.help.definition } };
  });
  expect(asked.toSorted()).toEqual(['getContactForm', 'getHelpForm']);
  const data: PageData = JSON.parse(/id="page-data">(.*?)<\/script>/s.exec(await html('help'))?.[1] ?? '');
  expect(data.forms.help?.[0]?.key).toBe('ForSomeoneElse');
  expect(data.forms.contact).toBeNull();
});

test('the page is whole: its styles inside under a hash, its data unable to end the script', async () => {
  const { pages, world, html } = prepare({ publicUrl: 'https://www.kowhai.example' });
  world.site = { ...content.site, address: '</script><script>alert(1)</script>' };
  await pages.start(async () => ({}));
  const page = await html('help');
  expect(page).toContain(
    '<style>p{color:var(--0);border-color:var(--1)}.tone-a1b2c3{background:#a1b2c3}</style>',
  );
  expect(page).not.toContain('<script>alert');
  // In a template, out of which the script inside the page takes them.
  const waiting = /<template id="scripts">(.*)<\/template>/.exec(page)?.[1] ?? '';
  expect(waiting).toMatch(/<script [^>]*id="entry" data-form="form.js" src="\/assets\/entry.js"><\/script>/);
  expect(waiting).toContain('src="/assets/form.js"></script>');
  expect(page.replace(waiting, '')).not.toContain('src="/assets/');
  expect(await html('home')).not.toContain('/assets/form.js');
  // A preload that failed is a module that WebKit never gets.
  expect(page).not.toContain('preload');
  expect(page).toContain('<link rel="canonical" href="https://www.kowhai.example/help">');
  expect(page).toContain('property="og:image" content="https://www.kowhai.example/photos/0/landscape.jpeg"');
  const policy = policyOf(await pages.get('help'));
  expect(page).toContain('<script>leave()</script>');
  expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]{43}='/);
  expect(policy).toMatch(/style-src 'sha256-[\w+/]{43}='/);
  expect(policy).not.toContain('unsafe');
});

test("a trust's looks are in the style sheet and under its hash; without any, not a byte is added", async () => {
  const plain = prepare();
  await plain.pages.start(async () => ({}));
  const styles = (page: string) => /<style>(.*?)<\/style>/.exec(page)?.[1] ?? '';
  expect(styles(await plain.html('help'))).not.toContain(':root');

  const { pages, html } = prepare({ theme: { primary: '#1f5c3a' } });
  await pages.start(async () => ({}));
  const page = await html('help');
  // The theme's properties have the numbers that the style sheet's have; what is not in it keeps its name.
  expect(styles(page)).toContain('p{color:var(--0);border-color:var(--1)}');
  expect(styles(page)).toContain('html:root{--1:#1f5c3a;--primary-deep:');
  expect(page).toContain('name="theme-color" content="#1f5c3a"');
  const hash = createHash('sha256').update(styles(page)).digest('base64');
  expect(policyOf(await pages.get('help'))).toContain(`style-src 'sha256-${hash}'`);
});

test('the words of leaving come as they were written, whatever quotes are in them', async () => {
  const { pages, world, html } = prepare();
  const expired = `You're "here" &\n <b>&quot;`;
  world.site = { ...content.site, leave: { ...content.site.leave, expired } };
  await pages.start(async () => ({}));
  const { document } = parseHTML(await html('help'));
  expect(document.getElementById('leaving')?.dataset.words?.split('\n')[3]).toBe(`You're "here" & <b>&quot;`);
});

test('words that only the server says do not travel a second time', async () => {
  const { pages, html } = prepare();
  await pages.start(async () => ({}));
  const data = JSON.parse(/id="page-data">(.*?)<\/script>/.exec(await html('help'))?.[1] ?? '');
  const { site, helplines } = data;
  expect([site.pages.help.description, site.form.trap, site.leave.onePress, helplines.checked]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(site.pages.help.heading).toBe(content.site.pages.help.heading);
  expect(Object.keys(data.photos.headers.help)).toEqual(['alt', 'avg_color', 'folder']);
});

test('the picture of a card is decoration, and brings no words', async () => {
  const { pages, html } = prepare();
  await pages.start(async () => ({}));
  const data: PageData = JSON.parse(/id="page-data">(.*?)<\/script>/.exec(await html('home'))?.[1] ?? '');
  expect(data.photos.cards.map((photo) => photo?.alt)).toEqual(['', '']);
  expect(data.photos.headers.help?.alt).toBe('Photo 0');
});

test('a form says when it was sent out, is rendered for nobody anew, and is the same page to a browser for hours', async () => {
  const { pages, world, html } = prepare();
  await pages.start(async () => ({}));
  const { rendered } = world;
  const sentOut = async () => /name="sent-out" value="([^"]*)"/.exec(await html('help'))?.[1];
  const before = await pages.get('help');
  expect(await sentOut()).toBe('signed 2026-06-01T00:00:00.000Z');
  world.now = new Date('2026-06-01T00:00:01Z');
  expect(await sentOut()).toBe('signed 2026-06-01T00:00:01.000Z');
  world.now = new Date('2026-06-01T11:59:59Z');
  const same = await pages.get('help');
  expect([same.file.hash, same.file.isWeak]).toEqual([before.file.hash, true]);
  world.now = new Date('2026-06-01T12:00:00Z');
  expect((await pages.get('help')).file.hash).not.toBe(before.file.hash);
  expect(world.rendered).toBe(rendered);
  expect(await html('home')).not.toContain('sent-out');
});

test('the answer to a form is a page of its own, with the time its form was sent out', async () => {
  const { pages, html } = prepare();
  await pages.start(async () => ({}));
  const posted = { status: 'failed', answers: { FirstName: '<Sample>' } } as const;
  const { html: answer, headers } = await pages.answer('help', posted, 'signed before "that"');
  expect(answer).toContain('<html lang="en-NZ" data-posted>');
  expect(answer).toContain('"posted":{"status":"failed","answers":{"FirstName":"\\u003cSample>"}}');
  expect(answer).toContain('value="signed before &quot;that&quot;"');
  expect(headers['content-security-policy']).toBe(policyOf(await pages.get('help')));
  expect(await html('help')).not.toContain('data-posted');
});
