import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const readAll = (pattern: string) =>
  globSync(join(import.meta.dirname, '..', pattern))
    .map((file) => readFileSync(file, 'utf8'))
    .join('');

/**
 * Removes the exports of React's packages that nothing uses: 2 kB (brotli). React's packages are CommonJS, of which a
 * bundler includes every export. An export is used if a file in src/web imports it, or if React DOM takes it from another
 * of the packages.
 */
export const unusedReactExports: Plugin = {
  name: 'unused-react-exports',
  transform: {
    filter: { id: /\/cjs\/(react|react-dom|react-dom-client|scheduler)\.production\.js$/ },
    handler(code) {
      const own = readAll('src/web/**/*.{ts,tsx}');
      const reactDom = readAll('node_modules/react-dom/cjs/react-dom{,-client}.production.js');
      const imports =
        own
          .match(/^import [^;]+ from 'react(-dom)?';|\{[^{}]+\} = await import\('react-dom\/client'\)/gm)
          ?.join('') ?? '';
      const members = (own + reactDom).match(/\b(React|ReactDOM|Scheduler)\.\w+/g)?.join('.') ?? '';
      const used = new Set(`${imports}.${members}`.match(/\w+/g));
      // A statement goes on while its lines are indented or begin with the closing bracket.
      const kept = code.replace(/^exports\.(\w+) = .*\n([ }].*\n)*/gm, (statement, name) =>
        used.has(name) ? statement : '',
      );
      // No minifier removes the prototypes of the two classes, because assigning to a property could have an effect.
      return /exports\.(Pure)?Component\b/.test(kept)
        ? kept
        : kept.replace(/^function Component\([\s\S]+?\.isPureReactComponent = !0;\n/m, '');
    },
  },
};
