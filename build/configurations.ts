import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';
import { readableClassName, shortClassName } from './class-names.ts';
import { compressFiles } from './compress-files.ts';
import { withoutLaterStyles } from './later-styles.ts';
import { cssTarget, scriptTarget } from './oldest-browsers.ts';
import { plainImports } from './plain-imports.ts';
import { withoutUnusedExports } from './unused-exports.ts';

/** Vite's configurations: one for each folder of dist/, and one for `npm run dev`. */

/** The script and the style sheet of the pages. */
export const client: UserConfig = {
  plugins: [plainImports, withoutUnusedExports, react(), withoutLaterStyles, compressFiles],
  css: { modules: { generateScopedName: shortClassName } },
  // Firefox knows module workers from 114 on.
  worker: { format: 'iife' },
  // React looks for its developer tools and for two of Node's globals, which no visitor's browser has (0.3 kB of brotli).
  define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined', setImmediate: 'undefined', process: 'undefined' },
  build: {
    outDir: 'dist/client',
    target: scriptTarget,
    cssTarget,
    manifest: true,
    // One style sheet, because it is sent inside every page.
    cssCodeSplit: false,
    // WebKit never requests a module again that failed as a preload (src/server/pages/document.ts).
    modulePreload: false,
    rolldownOptions: {
      input: 'src/web/entry-client.tsx',
      // React DOM is imported dynamically, so that it is set up in a task of its own, but it is sent in the entry's file.
      output: { codeSplitting: { groups: [{ name: 'entry-client', test: /entry-client|react-dom/ }] } },
    },
  },
};

/** What renders the pages on the server. */
export const server: UserConfig = {
  plugins: [plainImports, react()],
  css: { modules: { generateScopedName: shortClassName } },
  // The bundle contains React: Node would load React's development build, which is several times slower.
  ssr: { noExternal: true },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: { ssr: 'src/web/entry-server.tsx', outDir: 'dist/server', cssTarget },
};

/** A script that is sent inside the page: one file without imports. */
const inside = (name: string): UserConfig => ({
  build: {
    outDir: 'dist/early',
    // Two builds write into this folder.
    emptyOutDir: false,
    target: scriptTarget,
    modulePreload: false,
    rolldownOptions: {
      input: `src/web/early/${name}.ts`,
      output: { format: 'iife', entryFileNames: '[name].js' },
    },
  },
});

/** Inside every page, and ahead of it inside the home page. */
export const earlyScript = inside('entry-early');
export const slowScript = inside('entry-slow');

/** The script of the page in which staff open sealed mail: one file, which `awhina open --make-reader` puts into the page. */
export const reader: UserConfig = {
  build: {
    outDir: 'dist/reader',
    target: scriptTarget,
    modulePreload: false,
    rolldownOptions: {
      input: 'src/reader/entry-reader.ts',
      output: { format: 'iife', entryFileNames: '[name].js' },
    },
  },
};

/** `npm run dev`: the sources as they are, with readable class names. */
export const development: UserConfig = {
  plugins: [react()],
  css: { modules: { generateScopedName: readableClassName } },
  worker: { format: 'iife' },
  // Vite prepares the packages that these files import at the start. Without the list it reloads the first page.
  optimizeDeps: { entries: ['src/web/entry-client.tsx'] },
};
