import type { Page } from '@playwright/test';
import { onlyPseudoLanguages } from './pseudo-site.ts';
import { expect, test, visit } from './site.ts';

/**
 * Large text is the browser's own font size, which media queries in `em` follow. At every size and width a person sees
 * what they came for, no words are cut to slivers, and nothing lies over anything.
 */

type Window = readonly [width: number, height: number];

const windows: readonly Window[] = [
  [320, 568],
  [360, 640],
  [390, 844],
  [768, 1024],
  [1024, 768],
  [1280, 720],
  [1920, 1080],
  // A phone on its side.
  [844, 390],
];
const paths = ['/', '/help', '/contact'] as const;

const longName = 'Te Whare Āwhina o ngā Whānau Family Support and Advice Trust';

/** The distances of WCAG 1.4.12. */
const textSpacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-block-end: 2em !important; }`;

test('with text of every size every window shows first what matters', async ({ openPage }) => {
  const page = await openPage();
  for (const path of paths) {
    const look = await open(page, path);
    for (const window of windows) await look(100, window);
    for (const scale of [1.5, 2]) {
      for (const window of windows) {
        const { h1, field } = await look(100 * scale, window);
        // Zooming the page is the other way to large text: by it, both would be this far down.
        const [width, height] = window.map((length) => Math.round(length / scale)) as [number, number];
        const zoomed = await look(100, [width, height], { zoomed: true });
        const where = `${path} at ${100 * scale} %, ${window.join(' × ')}`;
        expect.soft(h1, `${where}: the heading`).toBeLessThanOrEqual(zoomed.h1 * scale);
        expect.soft(field, `${where}: the first field`).toBeLessThanOrEqual(zoomed.field * scale);
      }
    }
  }
});

test('wide text spacing takes nothing away', async ({ openPage }) => {
  const page = await openPage({ bypassCSP: true });
  for (const path of paths) {
    const look = await open(page, path);
    await page.addStyleTag({ content: textSpacing });
    for (const percent of [100, 200]) {
      for (const window of windows) await look(percent, window, { spaced: true });
    }
  }
});

test("the visitor's own colours take nothing away", async ({ openPage }) => {
  const page = await openPage({ forcedColors: 'active' });
  for (const path of paths) {
    const look = await open(page, path);
    for (const window of windows) await look(200, window);
  }
});

test('a name of 60 letters takes nothing away, and leaves the bar as high as it is', async ({
  openPage,
  ownSite,
}) => {
  expect(longName).toHaveLength(60);
  const site = await ownSite({ site: [['"{mi:Kōwhai} Family Support Centre"', longName]] });
  const page = await openPage({ baseURL: site.url });
  for (const path of paths) {
    const look = await open(page, path);
    for (const window of windows) {
      const { bar } = await look(100, window);
      expect.soft(bar, `${path}, ${window.join(' × ')}`).toBeLessThanOrEqual(window[0] < 960 ? 72 : 76);
    }
  }
});

for (const language of ['en-XA', 'ar-XB'] as const) {
  test(`words in ${language} take nothing away`, async ({ openPage, ownSite }) => {
    const site = await ownSite({ prepare: onlyPseudoLanguages(language) });
    const page = await openPage({ baseURL: site.url });
    for (const path of paths) {
      const look = await open(page, `/${language.toLowerCase()}${path === '/' ? '' : path}`);
      for (const percent of [100, 200])
        for (const window of windows) await look(percent, window, { spaced: true });
    }
  });
}

/** Opens a page; what comes back looks at it in a window of that size, with text of that size. */
async function open(page: Page, path: string) {
  const browser = await page.context().newCDPSession(page);
  await visit(page, path);
  return async (
    percent: number,
    [width, height]: Window,
    { spaced = false, zoomed = false }: { spaced?: boolean; zoomed?: boolean } = {},
  ) => {
    await browser.send('Page.setFontSizes', { fontSizes: { standard: (16 * percent) / 100 } });
    await page.setViewportSize({ width, height });
    const { problems, ...places } = await page.evaluate(inspect, spaced);
    if (!zoomed) expect.soft(problems, `${path} at ${percent} %, ${width} × ${height}`).toEqual([]);
    return places;
  };
}

/** In the browser: where things are when the page opens, and everything that is wrong there and one screen further down. */
function inspect(spaced: boolean) {
  interface Part {
    node: Element;
    box: { left: number; top: number; right: number; bottom: number };
  }
  const problems: string[] = [];
  const { clientWidth, clientHeight, scrollWidth } = document.documentElement;
  const em = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const name = (node: Element) => `${node.localName} "${node.textContent?.trim().slice(0, 24)}"`;
  const seen = (node: Element) =>
    node.checkVisibility() &&
    !node.closest('.visually-hidden, dialog, [href="#main"]') &&
    getComputedStyle(node).clipPath === 'none';
  const find = (selector: string) => [...document.querySelectorAll(selector)].find(seen);
  const top = (node: Element | undefined) => Math.round(node?.getBoundingClientRect().top ?? 0);

  const inSight = (node: Element | undefined, what: string) => {
    const box = node && [...node.getClientRects()][0];
    const hit =
      box && document.elementFromPoint((box.left + box.right) / 2, box.top + Math.min(box.height / 2, em));
    const within = box && box.top >= 0 && Math.min(box.bottom, box.top + 2 * em) <= clientHeight;
    if (!within || !(node?.contains(hit ?? null) || hit?.contains(node ?? null)))
      problems.push(`${what} is not in sight (${box?.top} px)`);
  };

  scrollTo(0, 0);
  const header = document.querySelector('header') as HTMLElement;
  const [h1, exit, getHelp, emergency, field] = [
    find('h1'),
    find('header > [data-leave], header > :last-child [data-leave]'),
    find('header > nav a[href$="/help"]'),
    find('main a[href="tel:111"]'),
    find('main input:not([type=hidden]), main textarea'),
  ];
  const bar = Math.round(header.getBoundingClientRect().height);

  // 320 × 568 at 200 % and a phone on its side at 150 % hold no more than 111 and how to call it: the heading is next.
  const letter = spaced ? 1.3 * em : em;
  if (clientWidth >= 12 * letter && clientHeight >= 20 * letter) inSight(h1, 'the heading');
  inSight(exit, 'the exit');
  if (emergency && !spaced) inSight(emergency, '111');
  if (!location.pathname.endsWith('/help')) inSight(getHelp, 'Get Help');
  else if (getHelp && !matchMedia('(min-width: 60em)').matches)
    problems.push('Get Help leads to the page one is on');
  if (getHelp && exit) {
    const [one, other] = [getHelp.getBoundingClientRect(), exit.getBoundingClientRect()];
    const apart = Math.max(
      other.left - one.right,
      one.left - other.right,
      one.top - other.bottom,
      other.top - one.bottom,
    );
    if (apart < 24) problems.push(`Get Help is ${apart} px from the exit`);
  }
  // Of a card that a small phone shows at once at least its name; with larger text that is further down.
  const card = find('main h2');
  if (em === 16 && clientWidth >= 360 && clientHeight >= 600 && !spaced && location.pathname === '/')
    inSight(card, 'the card');
  if (scrollWidth > clientWidth) problems.push(`${scrollWidth - clientWidth} px sideways`);

  // Every line of text, and everything that can be pressed, but for what stays in place over the page.
  const cut = (node: Element) =>
    (/hidden|clip/.test(getComputedStyle(node).overflow) || node.matches('header > *, main a')) &&
    node.clientHeight > 0 &&
    (node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1);
  for (const node of document.querySelectorAll('header *, main *, footer *'))
    if (seen(node) && !node.matches('textarea, input') && cut(node))
      problems.push(`${name(node)} is cut off`);

  const fixed = (node: Element) =>
    node.closest('footer') && getComputedStyle(node.closest('footer') as Element).position === 'fixed';
  // Of what scrolls in the list of helplines, as much as is seen.
  const within = (node: Element, box: Part['box']) => {
    const list = node.closest('#help-now > div')?.getBoundingClientRect();
    return list ? { ...box, bottom: Math.min(box.bottom, list.bottom) } : box;
  };
  const lines: Part[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const node = texts.currentNode.parentElement as Element;
    const words = (texts.currentNode.nodeValue ?? '').trim();
    if (!words || !seen(node) || fixed(node) || node.closest('script, style, template')) continue;
    range.selectNodeContents(texts.currentNode);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
    const tops = new Set(boxes.map((box) => Math.round(box.top)));
    if (tops.size > words.split(/[\s@.-]+/).length && words.length / tops.size < 4)
      problems.push(`${tops.size} lines for ${name(node)}`);
    // Without the room above and below the letters, which lines share.
    for (const { left, right, top, bottom, height } of boxes)
      lines.push({
        node,
        box: within(node, { left, right, top: top + height * 0.3, bottom: bottom - height * 0.3 }),
      });
  }
  const controls: Part[] = [...document.querySelectorAll('a, button, summary, input, textarea')]
    .filter((node) => seen(node) && !fixed(node))
    .flatMap((node) =>
      [...node.getClientRects()].map(({ left, right, top, bottom }) => {
        // A link in a text is larger to the touch than it looks.
        const touch = Math.max(0, -Number.parseFloat(getComputedStyle(node).marginBlockStart));
        return { node, box: within(node, { left, right, top: top + touch, bottom: bottom - touch }) };
      }),
    );
  const over = (one: Part, other: Part) =>
    Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top) > 1 &&
    Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left) > 1 &&
    !one.node.contains(other.node) &&
    !other.node.contains(one.node);
  for (const [index, line] of lines.entries())
    for (const other of [...lines.slice(index + 1), ...controls])
      if (over(line, other)) problems.push(`${name(line.node)} over ${name(other.node)}`);
  for (const [index, one] of controls.entries())
    for (const other of controls.slice(index + 1))
      if (over(one, other)) problems.push(`${name(one.node)} over ${name(other.node)}`);

  // It is seen only while it has the focus.
  const skip = document.querySelector('[href="#main"]') as Element;
  for (const control of controls)
    if (control.node === exit && over(control, { node: skip, box: skip.getBoundingClientRect() }))
      problems.push('the skip link lies over the exit');

  const result = { h1: top(h1), field: top(field), emergency: top(emergency), bar };
  for (const part of [3, 2, 1]) {
    scrollTo(0, part * clientHeight);
    inSight(exit, 'the exit, further down,');
  }
  // What stays leaves the page 70 % of the window; on a phone with large text it is the exit alone.
  const stuck = Math.max(0, header.getBoundingClientRect().bottom);
  if (stuck > (clientWidth < 18.75 * em ? 0 : 0.3 * clientHeight))
    problems.push(`the bar takes ${stuck} of ${clientHeight} px`);
  scrollTo(0, 0);
  return { ...result, problems };
}
