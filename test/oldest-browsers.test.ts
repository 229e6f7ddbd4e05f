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
const classic = ['altcha-worker', 'entry-early'];

const knownInScripts = [
  // React asks `typeof navigation` once, around the functions that use it.
  'navigation',
];

test.each(scripts)('$name uses no syntax and no function that the oldest browsers lack', ({ name, text }) => {
  const found = tooNewInScript(text, !classic.includes(name));
  expect(found.filter((what) => !knownInScripts.includes(what))).toEqual([]);
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
  // The drawer is there at once, as high as what is in it, and the build writes `:-webkit-any` before its `:is`.
  '@starting-style',
  'allow-discrete for transition',
  'a dynamic height for block-size',
  ':is',
  // Under an `@supports`, with another before.
  'a dynamic height for --screen',
];

test.each(styles)('the style sheet needs nothing that the oldest browsers lack', ({ text }) => {
  expect(tooNewInStyles(text).filter((what) => !knownInStyles.includes(what))).toEqual([]);
});

test.each([
  ['.name{color:red}', []],
  ['@media (width<960px){.exit{left:0}}', ['a range in a media query']],
  ['@media (960px<=width){.exit{left:0}}', ['a range in a media query']],
  ['.a:has(.b){color:red}', [':has']],
  ['.a:has(.b,.c),.d{color:red}', [':has', ':has beside other selectors']],
  [
    '*,::view-transition-old(*){animation:none}',
    ['::view-transition-old', '::view-transition-old beside other selectors'],
  ],
  ['.a{height:100dvh}', ['a dynamic height for height']],
  ['.a{height:100vh;height:100dvh}', []],
  ['.a::before{content:">"/""}', ['words for a mark for content']],
  ['@keyframes turn{to{rotate:1turn}}', ['rotate']],
  ['.a{color:red;& .b{color:blue}}', ['nesting']],
])('in a style sheet, %s is %j', (css, found) => {
  expect(tooNewInStyles(css)).toEqual(found);
});

test.each([
  ['a?.b ?? c; d ||= 1; class E { f = 1; #g() {} }', []],
  ['/(?<=a)b/.test(c)', ['a lookbehind']],
  ['new RegExp(`(?<!a)` + b)', ['a lookbehind']],
  ['/a/v.test(b)', null],
  ['class A { static { b() } }', ['a static block']],
  ['await a', ['await at the top']],
  ['async () => await a', []],
  ['list.at(-1)', ['.at']],
  ['AbortSignal.timeout(1)', ['AbortSignal.timeout']],
  ['new Worker(a, { type: "module" })', ['a module worker']],
  ['addEventListener("a", b, { signal: c })', ['addEventListener({ signal })']],
  ['reportError(a)', ['reportError']],
  ['typeof reportError === "function" ? reportError(a) : b(a)', []],
  ['globalThis.trustedTypes?.createPolicy("a")', []],
  ['document.startViewTransition(a)', ['.startViewTransition']],
  ['try { document.startViewTransition(a) } catch { a() }', []],
])('in a script, %s is %j', (script, found) => {
  if (found) expect(tooNewInScript(script, true)).toEqual(found);
  else expect(() => tooNewInScript(script, true)).toThrow(SyntaxError);
});
