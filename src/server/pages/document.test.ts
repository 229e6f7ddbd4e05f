import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { content, renderPages } from '../../../test/support/rendered-pages.ts';
import type { PageLanguage } from '../../model/language.ts';
import { hashSource } from './content-policy.ts';
import type { FullPageData } from './load-page-data.ts';
import { pageCss } from './page-css.ts';

test('the page is whole: its styles inside under a hash, its data unable to end the script', async () => {
  const { html, policy } = await renderPages({
    publicUrl: 'https://www.kowhai.example',
    site: { ...content.site, address: '</script><script>alert(1)</script>' },
  });
  const page = await html('help');
  expect(page).toMatch(
    /<style>p\{color:var\(--ink\);border-color:var\(--primary\)\}\.tone-a1b2c3\{background:#a1b2c3\}[^<]*<\/style>/,
  );
  expect(page).not.toContain('<script>alert');
  // In a template, out of which the script inside the page takes them.
  const waiting = /<template id="scripts">(.*)<\/template>/.exec(page)?.[1] ?? '';
  expect(waiting).toMatch(/<script [^>]*id="entry" data-form="form.js" src="\/assets\/entry.js"><\/script>/);
  expect(waiting).toContain('src="/assets/form.js"></script>');
  expect(page.replace(waiting, '')).not.toContain('src="/assets/');
  // The home page contains the rules that a form fetches as a file, with the same numbers.
  expect(waiting).toMatch(/^<link rel="stylesheet" href="\/assets\/later.css">/);
  const home = await html('home');
  expect(home).toContain('border-color:var(--primary)}dl{color:var(--ink)}');
  expect(home).not.toMatch(/assets\/(later|form)/);
  expect(await policy('home')).toMatch(/style-src 'sha256-[\w+/]{43}=';/);
  // WebKit never gets a module whose preload failed.
  expect(page).not.toContain('preload');
  expect(page).toContain('<link rel="canonical" href="https://www.kowhai.example/help">');
  expect(page).toContain('property="og:image" content="https://www.kowhai.example/photos/0/landscape.jpeg"');
  expect(page).toContain('<script>leave()</script>');
  const allowed = await policy('help');
  expect(allowed).toContain(`script-src 'self' ${hashSource('leave()')}`);
  expect(allowed).toMatch(/style-src 'sha256-[\w+/]{43}=' 'self';/);
  expect(allowed).not.toContain('unsafe');
});

test("a trust's theme is in the style sheet and covered by its hash; without a theme nothing is added", async () => {
  const plain = await renderPages();
  const styles = (page: string) => /<style>(.*?)<\/style>/.exec(page)?.[1] ?? '';
  expect(styles(await plain.html('help'))).not.toContain(':root');

  const { html, policy } = await renderPages({ theme: { primary: '#1f5c3a' } });
  const page = await html('help');
  // The theme's properties have the numbers of the style sheet; a property that the sheet lacks has its name.
  expect(styles(page)).toContain('p{color:var(--ink);border-color:var(--primary)}');
  expect(styles(page)).toContain('html:root{--primary:#1f5c3a;--primary-deep:');
  expect(page).toContain('name="theme-color" content="#1f5c3a"');
  expect(await policy('help')).toContain(`style-src ${hashSource(styles(page))}`);
});

test('the words of leaving come as they were written, whatever quotes are in them', async () => {
  const expired = `You're "here" &\n <b>&quot;`;
  const { html } = await renderPages({
    site: { ...content.site, leave: { ...content.site.leave, expired } },
  });
  const { document } = parseHTML(await html('help'));
  expect(document.getElementById('leaving')?.dataset.words?.split('\n')[3]).toBe(`You're "here" & <b>&quot;`);
});

test('rules for pages from right to left are sent only where a language is written so', () => {
  const css =
    '[dir=rtl] p{float:left}html:not([dir=rtl]) h1,[dir=rtl] b{margin:0}@media print{[dir=rtl]{top:0}}';
  const dataIn = (...languages: PageLanguage[]) =>
    ({
      site: {},
      forms: { help: [], contact: [] },
      meanings: { help: [], contact: [] },
      language: languages[0],
      languages,
      photos: { covers: [], cards: [], headers: {} },
    }) as unknown as FullPageData;
  const english: PageLanguage = { tag: 'en-NZ', name: 'English', prefix: '' };
  const arabic: PageLanguage = { tag: 'ar', name: 'العربية', prefix: '/ar', dir: 'rtl' };
  expect(pageCss(css, dataIn(english), undefined)).toBe(
    'html:not([dir=rtl]) h1,[dir=rtl] b{margin:0}@media print{}',
  );
  // A visitor may choose the other language without loading the page again.
  expect(pageCss(css, dataIn(english, arabic), undefined)).toBe(css);
  expect(pageCss(css, dataIn(arabic), undefined)).toBe(css);
});
