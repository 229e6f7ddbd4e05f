import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * Compresses the browser's files as small as they get, once, so that no start of the server has to. From the disk,
 * because Vite itself still changes a bundle until it is written.
 */
const compressFiles: Plugin = {
  name: 'compress-files',
  apply: (_config, { isSsrBuild }) => !isSsrBuild,
  async writeBundle({ dir = '' }, bundle) {
    const ways = { br: promisify(brotliCompress), gz: promisify(gzip) };
    for (const name of Object.keys(bundle)) {
      const content = await readFile(join(dir, name));
      for (const [ending, compress] of Object.entries(ways)) {
        await writeFile(join(dir, `${name}.${ending}`), await compress(content));
      }
    }
  },
};

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

export default defineConfig(({ isSsrBuild, command }) => ({
  plugins: [plainImports, react(), compressFiles],
  worker: { format: 'es' },
  // wouter brings a stand-in along for React 17; from 18 on React has the real one.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  // The server's bundle brings its React along: Node would take React's development build, which is several times slower.
  ...(isSsrBuild && command === 'build'
    ? { ssr: { noExternal: true }, define: { 'process.env.NODE_ENV': '"production"' } }
    : {}),
  build: isSsrBuild
    ? { outDir: 'dist/server', rolldownOptions: { input: 'src/web/entry-server.tsx' } }
    : {
        outDir: 'dist/client',

        manifest: true,
        // One stylesheet, because it travels inside the page.
        cssCodeSplit: false,
        // The server writes the preloads into the page; nothing is left for a script to do.
        modulePreload: false,
        rolldownOptions: {
          input: 'src/web/entry-client.tsx',
          // React DOM is imported dynamically, to be set up in a task of its own, but travels in the entry's file.
          output: { codeSplitting: { groups: [{ name: 'entry-client', test: /entry-client|react-dom/ }] } },
        },
      },
}));
