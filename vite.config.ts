import { globSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { type MinifyOptions, minify } from 'terser';
import { defineConfig, type Plugin } from 'vite';
import { cssTarget, scriptTarget } from './oldest-browsers.ts';

/**
 * Makes the browser's files as small as they get, once, so that no start of the server has to. From the disk, because
 * Vite itself still changes a bundle until it is written. Terser finds 0.8 kB (brotli) in what Vite's own minifier made;
 * alone it would find less.
 */
const compressFiles: Plugin = {
  name: 'compress-files',
  apply: (_config, { isSsrBuild }) => !isSsrBuild,
  async writeBundle({ dir = '' }, bundle) {
    const ways = { br: promisify(brotliCompress), gz: promisify(gzip) };
    for (const name of Object.keys(bundle)) {
      const written = await readFile(join(dir, name), 'utf8');
      const content = name.endsWith('.js') ? await minifyAgain(written, name) : written;
      await writeFile(join(dir, name), content);
      for (const [ending, compress] of Object.entries(ways)) {
        await writeFile(join(dir, `${name}.${ending}`), await compress(content));
      }
    }
  },
};

async function minifyAgain(script: string, name: string): Promise<string> {
  // The worker is a classic script, in a function of its own. What is unsafe here is that a function written as an
  // expression can no longer be called with `new`, which nothing does. `pure_getters` would leave out the layout that React
  // forces before a view transition by reading `clientHeight`.
  const module = !name.includes('worker');
  const options = {
    module,
    ecma: 2020,
    compress: { passes: 3, unsafe_methods: true, unsafe_arrows: true },
    // As Vite's own leaves them: in brackets, React DOM is compiled beside the page while it comes in. Without, all of
    // that falls to the page, and a slow phone stands still for it (100 to 150 ms in Lighthouse's model).
    format: { wrap_func_args: module },
  } as const satisfies MinifyOptions;
  // Twice: the second time finds 0.1 kB in the names that the first has given.
  const { code = script } = await minify(script, options);
  return (await minify(code, options)).code ?? code;
}

/**
 * Vite wraps every `import()` in a helper that fetches styles and preloads first. Here the page itself brings both, so
 * an import is only an import.
 */
const plainImports: Plugin = {
  name: 'plain-imports',
  apply: 'build',
  enforce: 'pre',
  load: {
    filter: { id: /vite\/preload-helper\.js$/ },
    handler: () => 'export const __vitePreload = (load) => load();',
  },
};

const readAll = (pattern: string) =>
  globSync(join(import.meta.dirname, pattern))
    .map((file) => readFileSync(file, 'utf8'))
    .join('');

/**
 * Drops the exports of React's packages that nothing here uses: 1.9 kB (brotli). The packages are CommonJS, of which a
 * bundler keeps every export. An export is used where one of our files imports it, or React DOM takes it from another
 * of the packages.
 */
const unusedExports: Plugin = {
  name: 'unused-exports',
  apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  transform: {
    filter: { id: /\/cjs\/(react|react-dom|scheduler)\.production\.js$/ },
    handler(code) {
      const own = readAll('src/web/**/*.{ts,tsx}');
      const reactDom = readAll('node_modules/react-dom/cjs/react-dom{,-client}.production.js');
      const imports = own.match(/^import [^;]+ from 'react(-dom)?';/gm)?.join('') ?? '';
      const members = (own + reactDom).match(/\b(React|ReactDOM|Scheduler)\.\w+/g)?.join('.') ?? '';
      const used = new Set(`${imports}.${members}`.match(/\w+/g));
      // A statement goes on for as long as lines are indented or begin with the bracket that ends it.
      return code.replace(/^exports\.(\w+) = .*\n([ }].*\n)*/gm, (statement, name) =>
        used.has(name) ? statement : '',
      );
    },
  },
};

/**
 * A class by a letter and a digit, which server and browser count alike over all the style files. What a name says cannot be
 * compressed, and it travels three times: in the style sheet, in the page and in the script. A digit, because of two
 * letters some are words by which blockers know advertisements. Whoever develops reads the names themselves.
 */
const styleFiles = globSync(join(import.meta.dirname, 'src/web/**/*.module.css')).toSorted();
const styleNames = styleFiles.flatMap((file) => {
  const named = readFileSync(file, 'utf8').matchAll(/(?:\.|@keyframes )([a-z][\w-]*)/gi);
  return [...new Set([...named].map(([, name]) => `${file} ${name}`))];
});
function countClass(name: string, file: string): string {
  const count = styleNames.indexOf(`${file} ${name}`);
  if (count < 0) throw new Error(`${file} has no ${name}`);
  return String.fromCharCode(97 + (count % 26)) + Math.floor(count / 26);
}
const nameClass = (name: string, file: string) => `${name}-${styleFiles.indexOf(file).toString(36)}`;

/** The server's bundle brings its React along: Node would take React's development build, which is several times slower. */
const serverReact = {
  ssr: { noExternal: true },
  define: { 'process.env.NODE_ENV': '"production"' },
} as const;
/** What React looks for, and a visitor's browser does not have: its developer tools, and two of Node's (0.3 kB of brotli). */
const browserReact = {
  define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined', setImmediate: 'undefined', process: 'undefined' },
};

export default defineConfig(({ isSsrBuild, command }) => ({
  plugins: [plainImports, unusedExports, react(), compressFiles],
  css: { modules: { generateScopedName: command === 'build' ? countClass : nameClass } },
  // Firefox knows module workers from 114 on.
  worker: { format: 'iife' },
  ...(command === 'serve' ? {} : isSsrBuild ? serverReact : browserReact),
  build: isSsrBuild
    ? { outDir: 'dist/server', rolldownOptions: { input: 'src/web/entry-server.tsx' } }
    : {
        outDir: 'dist/client',
        target: scriptTarget,
        cssTarget,
        manifest: true,
        // One stylesheet, because it travels inside the page.
        cssCodeSplit: false,
        // WebKit never again asks for a module that failed as a preload (src/server/pages/document.ts).
        modulePreload: false,
        rolldownOptions: {
          input: 'src/web/entry-client.tsx',
          // Making it small takes seconds, as it should; nobody needs to be warned of that.
          checks: { bundlerTimings: false, pluginTimings: false },
          // React DOM is imported dynamically, to be set up in a task of its own, but travels in the entry's file.
          output: { codeSplitting: { groups: [{ name: 'entry-client', test: /entry-client|react-dom/ }] } },
        },
      },
}));
