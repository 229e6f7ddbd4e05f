import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const web = join(import.meta.dirname, '../src/web');
const imports = readFileSync(join(web, 'later-css.ts'), 'utf8').matchAll(/'(.+)\?inline'/g);
const files = new Set([...imports].map(([, path = '']) => join(web, path)));

/** Leaves these files out of the style sheet that every page contains. Their classes keep their names. */
export const withoutLaterStyles: Plugin = {
  name: 'without-later-styles',
  // Between Vite's own two plugins for CSS: the first has read the names, the second writes the style sheet.
  transform: (_css, id) => (files.has(id) ? '' : undefined),
};
