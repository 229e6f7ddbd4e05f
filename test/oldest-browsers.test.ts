import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { oldestBrowsers } from '../build/oldest-browsers.ts';
import { tooNewInScript } from './support/too-new-in-script.ts';
import { tooNewInStyles } from './support/too-new-in-styles.ts';

/** What is built runs in the browsers of build/oldest-browsers.ts. Read from dist/, because nobody runs the sources. */

const read = (pattern: string) =>
  globSync(pattern).map((file) => {
    const name = /^[a-z]+(-[a-z]+)?(?=[-.])/i.exec(basename(file))?.[0] ?? '';
    return { name, text: readFileSync(file, 'utf8') };
  });

const scripts = read('dist/{client/assets,early}/*.js');
const { laterCss } = await import(new URL('../dist/server/entry-server.js', import.meta.url).href);
const styles = [...read('dist/client/assets/*.css'), { name: 'later', text: laterCss as string }];

test('there are scripts and styles to check', () => {
  const names = scripts.map(({ name }) => name.replace(/^FormPage.*/, 'FormPage'));
  expect(names.toSorted()).toEqual([
    'FormPage',
    'altcha-worker',
    'entry-client',
    'entry-early',
    'entry-slow',
    'recaptcha-token',
  ]);
  expect(styles).toHaveLength(2);
});

test('the README and the decision name the browsers that the build is made for', () => {
  const { chrome, firefox, safari, ios } = oldestBrowsers;
  const words = `Chrome ${chrome}, Firefox ${firefox}, Safari ${safari}`;
  expect(ios).toBe(safari);
  for (const file of ['README.md', ...globSync('docs/decisions/0052-*.md')]) {
    expect(readFileSync(file, 'utf8')).toContain(words);
  }
});

/** Classic scripts: no browser of the floor reads a module worker, and the one inside the page is none. */
const classic = ['altcha-worker', 'entry-early', 'entry-slow'];

test.each(scripts)('$name uses no syntax and no function that the oldest browsers lack', ({ name, text }) => {
  // React asks `typeof navigation` once, around the functions that use it.
  expect(tooNewInScript(text, !classic.includes(name)).filter((what) => what !== 'navigation')).toEqual([]);
});

const knownInStyles = [
  // Only another colour around choices whose message is there in words.
  ':has',
  // The browser's own look, or lines that break as they always did.
  'accent-color',
  'text-wrap',
  // The picture has its width and height.
  'aspect-ratio',
  // A fade that is not there.
  '::view-transition',
  '::view-transition-group',
  '::view-transition-new',
  '::view-transition-old',
  // On paper what was not opened stays closed.
  '::details-content',
  'content-visibility',
  // On paper a long message shows its first lines.
  'field-sizing',
  // The drawer is there at once, as high as what is in it.
  '@starting-style',
  'allow-discrete for transition',
  // Under an `@supports`, with another before.
  'a dynamic height for --screen',
];

test('the style sheets need nothing that the oldest browsers lack', () => {
  const found = new Set(styles.flatMap(({ text }) => tooNewInStyles(text)));
  expect(found).toEqual(new Set(knownInStyles));
});

test('what is too new is found, and what is asked for first or has another before it is not', () => {
  const newStyles = [
    '@media (960px<=width){.exit{left:0}}',
    '.a:has(.b,.c),.d{color:red}',
    '.a{height:100dvh}',
    '.a::before{content:">"/""}',
    '@keyframes turn{to{rotate:1turn}}',
    '.a{color:red;& .b{color:blue}}',
  ];
  for (const css of newStyles) expect(tooNewInStyles(css), css).not.toEqual([]);
  expect(tooNewInStyles('.a{height:100vh;height:100dvh}')).toEqual([]);
  const newScripts = [
    'new RegExp(`(?<!a)` + b)',
    'class A { static { b() } }',
    'await a',
    'list.at(-1)',
    'AbortSignal.timeout(1)',
    'new Worker(a, { type: "module" })',
    'addEventListener("a", b, { signal: c })',
    'reportError(a)',
  ];
  for (const script of newScripts) expect(tooNewInScript(script, true), script).not.toEqual([]);
  expect(() => tooNewInScript('/a/v.test(b)', true)).toThrow(SyntaxError);
  for (const script of [
    'a?.b ?? c; d ||= 1; class E { f = 1; #g() {} }',
    'typeof reportError === "function" ? reportError(a) : b(a)',
    'globalThis.trustedTypes?.createPolicy("a")',
    'try { document.startViewTransition(a) } catch { a() }',
  ])
    expect(tooNewInScript(script, true), script).toEqual([]);
});
