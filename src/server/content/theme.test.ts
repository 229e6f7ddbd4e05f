import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { contrast } from './colour.ts';
import { defaultColours, type Theme, themeCss, themeSchema } from './theme.ts';

const problems = (theme: unknown) =>
  themeSchema.safeParse(theme).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ??
  [];

test('contrast is computed as in WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#ffffff', '#767676')).toBeCloseTo(4.54, 2);
  expect(contrast('#123456', '#123456')).toBe(1);
});

test('the default colours pass the checks of a theme, and are those of the style sheet', async () => {
  const { primary, secondary, accent, paper } = defaultColours;
  expect(problems({ primary, secondary, accent, paper, radius: 16 })).toEqual([]);
  const tokens = await readFile(new URL('../../web/styles/tokens.css', import.meta.url), 'utf8');
  for (const [name, colour] of Object.entries({ ...defaultColours, surface: '#fff' })) {
    const property = name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
    expect(tokens).toContain(`--${property}: ${colour};`);
  }
});

test.each<[string, unknown, string]>([
  [
    'a colour too light for words',
    { primary: '#7fa8d1' },
    'primary: #7fa8d1 cannot be read on #eee8f0 (the light tint of the accent): their contrast is 2, and must be 4.5 or more. Choose a darker one',
  ],
  ['an accent too light to be seen', { accent: '#e0b020' }, 'accent: #e0b020 cannot be read on'],
  ['a ground too dark', { paper: '#445566' }, 'paper: #46535f (the softer words) cannot be read on #445566'],
  ['a colour by its name', { accent: 'purple' }, 'accent: expected a colour in quotes, such as "#28425b"'],
  ['a colour that YAML read as nothing', { primary: 123456 }, 'primary: expected a colour in quotes'],
  ['corners rounder than round', { radius: 200 }, 'radius: expected a number of pixels from 0 to 32'],
  [
    'rules smuggled in as a typeface',
    { fonts: { text: 'x;}body{display:none' } },
    'fonts.text: expected typefaces',
  ],
])('%s is refused in words', (_what, theme, message) => {
  expect(problems(theme)).toEqual([expect.stringContaining(message)]);
});

test('a theme adds rules for its own values and those derived from them, and no others', () => {
  expect(themeCss(undefined)).toBe('');
  expect(themeCss({})).toBe('');
  expect(themeCss({ radius: 0 })).toBe('html:root{--radius:0px;--radius-small:0px}');
  const css = themeCss(themeSchema.parse({ primary: '#1F5C3A', accent: '#A0410D' }) as Theme);
  expect(css).toContain('--primary:#1f5c3a;');
  expect(css).toContain('--secondary:#1f5c3a;');
  const deep = /--accent-deep:(#[0-9a-f]{6})/.exec(css)?.[1] ?? '';
  expect(contrast(deep, '#ffffff')).toBeGreaterThanOrEqual(7);
});

test('a visitor who prefers more contrast gets it on coloured paper too', () => {
  expect(themeCss({ paper: '#eef4f7' })).toBe(
    'html:root{--paper:#eef4f7}@media (prefers-contrast:more){html:root{--paper:#fff}}',
  );
});

test('a list of typefaces ends with one that every machine has', () => {
  expect(themeCss({ fonts: { headings: 'Georgia', text: 'Atkinson Hyperlegible, system-ui' } })).toBe(
    'html:root{--display:"Georgia",serif;--text:"Atkinson Hyperlegible",system-ui}',
  );
});
