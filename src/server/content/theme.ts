import { z } from 'zod';
import { type Colour, contrast, darkenUntil, mix } from './colour.ts';
import { words } from './words.ts';

/** A trust's colours and typefaces. They are checked, so that every choice can be read. */

const colour = z
  .string({ error: 'expected a colour in quotes, such as "#28425b"' })
  .regex(/^#[0-9a-fA-F]{6}$/, 'expected a colour in quotes, such as "#28425b"')
  .transform((written) => written.toLowerCase());

/** Only letters, digits, spaces and hyphens, because the names go into the style sheet. */
const typefaces = words.regex(
  /^[\p{L}\d -]+(,[\p{L}\d -]+)*$/u,
  'expected typefaces, such as Georgia, Palatino',
);

const themeFields = z.strictObject({
  primary: colour.describe('Headings, links and buttons.').optional(),
  secondary: colour.describe('The plainer buttons; without it, the primary colour.').optional(),
  accent: colour.describe('Underlines, the focus, Get Help.').optional(),
  paper: colour.describe('The background of every page.').optional(),
  radius: z
    .number({ error: 'expected a number of pixels from 0 to 32' })
    .min(0, 'expected a number of pixels from 0 to 32')
    .max(32, 'expected a number of pixels from 0 to 32')
    .describe('Of corners, in pixels.')
    .optional(),
  fonts: z.strictObject({ headings: typefaces.optional(), text: typefaces.optional() }).optional(),
});

export type Theme = z.output<typeof themeFields>;
type ColourName = 'primary' | 'secondary' | 'accent' | 'paper';

/** The same as in src/web/styles/tokens.css; a test compares the two. */
export const defaultColours: Readonly<
  Record<ColourName | 'surface' | 'tint' | 'inkSoft' | 'danger', Colour>
> = {
  primary: '#28425b',
  secondary: '#2e4259',
  accent: '#9f3da4',
  paper: '#fbf8f3',
  surface: '#ffffff',
  tint: '#eee8f0',
  inkSoft: '#46535f',
  danger: '#9b1c2e',
};

/** All colours of text and of the surfaces behind it. The primary colour is the default of the secondary one. */
function coloursOf({ primary, secondary = primary, accent, paper }: Theme) {
  const tint = accent && mix(accent, 0.12, defaultColours.surface);
  const chosen = Object.entries({ primary, secondary, accent, paper, tint }).filter(([, one]) => one);
  return { ...defaultColours, ...(Object.fromEntries(chosen) as Partial<typeof defaultColours>) };
}

/** Names for the messages, because a volunteer may not have written these colours. */
const colourLabels: Record<keyof typeof defaultColours, string> = {
  primary: 'the primary colour',
  secondary: 'the secondary colour',
  accent: 'the accent',
  paper: 'the paper',
  surface: 'white, as in cards and fields',
  tint: 'the light tint of the accent',
  inkSoft: 'the softer words',
  danger: 'the words about danger',
};

/** WCAG 1.4.3 for text of any size. */
const leastContrast = 4.5;

export const themeSchema = themeFields.superRefine((theme, context) => {
  const colours = coloursOf(theme);
  const names = ['primary', 'secondary', 'accent', 'paper'] as const;
  for (const name of names.filter((one) => theme[one])) {
    const others =
      name === 'paper'
        ? (['primary', 'secondary', 'accent', 'inkSoft', 'danger'] as const)
        : (['paper', 'surface', 'tint'] as const);
    const [worst] = others
      .map((other) => ({ other, ratio: contrast(colours[name], colours[other]) }))
      .toSorted((a, b) => a.ratio - b.ratio);
    if (!worst || worst.ratio >= leastContrast) continue;
    const other = `${colours[worst.other]} (${colourLabels[worst.other]})`;
    // Rounded down, so that no message says that 4.5 is less than 4.5.
    const ratio = Math.floor(worst.ratio * 10) / 10;
    context.addIssue({
      code: 'custom',
      path: [name],
      message:
        name === 'paper'
          ? `${other} cannot be read on ${colours.paper}: their contrast is ${ratio}, and must be ${leastContrast} or more. Choose a lighter one`
          : `${colours[name]} cannot be read on ${other}: their contrast is ${ratio}, and must be ${leastContrast} or more. Choose a darker one`,
    });
  }
});

/** For the browser's own bars around the page. */
export const themeColour = (theme: Theme | undefined): Colour => theme?.primary ?? defaultColours.primary;

const generic = ['serif', 'sans-serif', 'system-ui', 'monospace', 'cursive', 'fantasy'];

/** No typeface is fetched, so the last one of the list is one that every machine has. */
function typefaceList(written: string, fallback: 'serif' | 'sans-serif'): string {
  const names = written.split(',').map((name) => name.trim());
  const quoted = names.filter(Boolean).map((name) => (generic.includes(name) ? name : `"${name}"`));
  return [...quoted, ...(generic.includes(names.at(-1) ?? '') ? [] : [fallback])].join(',');
}

/** The rules that a theme adds to the style sheet. */
export function themeCss(theme: Theme | undefined): string {
  if (!theme) return '';
  const { primary, accent, paper, radius, fonts } = theme;
  const colours = coloursOf(theme);
  const properties: Record<string, string | undefined> = {
    '--primary': primary,
    '--primary-deep': primary && mix(primary, 0.7, '#000000'),
    '--shade': primary && shadeOf(primary),
    '--secondary': primary || theme.secondary ? colours.secondary : undefined,
    '--accent': accent,
    // Behind white words, with a contrast of 7.
    '--accent-deep': accent && darkenUntil(accent, defaultColours.surface, 7),
    '--tint': accent && colours.tint,
    '--paper': paper,
    '--radius': radius === undefined ? undefined : `${radius}px`,
    '--radius-small': radius === undefined ? undefined : `${Math.round(radius * 0.625)}px`,
    '--display': fonts?.headings && typefaceList(fonts.headings, 'serif'),
    '--text': fonts?.text && typefaceList(fonts.text, 'sans-serif'),
  };
  const rules = Object.entries(properties).flatMap(([name, value]) => (value ? `${name}:${value}` : []));
  if (rules.length === 0) return '';
  // html:root wins over :root in any order (in development it comes first), so it has to repeat the style sheet's rule
  // for prefers-contrast.
  const contrasting = paper ? '@media (prefers-contrast:more){html:root{--paper:#fff}}' : '';
  return `html:root{${rules.join(';')}}${contrasting}`;
}

/** The colour between the cover's photo and the white words on it: as dark as the default, in the trust's colour. */
function shadeOf(primary: Colour): string {
  const value = Number.parseInt(darkenUntil(primary, defaultColours.surface, 13.5).slice(1), 16);
  return `${value >> 16} ${(value >> 8) & 0xff} ${value & 0xff}`;
}
