import { defineConfig } from 'vite';
import { scriptTarget } from './oldest-browsers.ts';

/** The script that travels inside the page: one file with everything in it, and no imports. */
export default defineConfig({
  build: {
    outDir: 'dist/early',
    target: scriptTarget,
    modulePreload: false,
    minify: 'terser',
    terserOptions: { compress: { passes: 3 } },
    rolldownOptions: {
      input: 'src/web/early/entry-early.ts',
      output: { format: 'iife', entryFileNames: '[name].js' },
    },
  },
});
