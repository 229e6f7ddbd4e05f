import { globSync, readFileSync } from 'node:fs';
import { parse } from 'acorn';
import type { Plugin } from 'vite';

const namesIn = (files: string, where: RegExp): string[] =>
  globSync(files).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(where)].flatMap(([text]) => text.match(/\w+/g) ?? []),
  );

/** What JSX becomes, what the site imports from React, and what React DOM calls of the others. */
const used = new Set([
  ...['Fragment', 'jsx', 'jsxs'],
  ...namesIn('src/web/**/*.{ts,tsx}', /\{[^{}]*\}\s*(from|= await import\()\s*'react/g),
  ...namesIn(
    'node_modules/react-dom/cjs/react-dom-client.production.js',
    /\b(React|ReactDOM|Scheduler)\.\w+/g,
  ),
]);

/** React's packages are CommonJS, of which a bundler keeps every export. Without those that nothing imports: 1.8 kB of brotli. */
export const withoutUnusedExports: Plugin = {
  name: 'without-unused-exports',
  transform: {
    filter: { id: /\/node_modules\/(react|react-dom|scheduler)\/cjs\/[a-z-]+\.production\.js$/ },
    handler(code) {
      const { body } = parse(code, { ecmaVersion: 'latest' });
      const isKept = (text: string) => used.has(/^exports\.(\w+) =/.exec(text)?.[1] ?? 'jsx');
      return body
        .map(({ start, end }) => code.slice(start, end))
        .filter(isKept)
        .join('\n');
    },
  },
};
