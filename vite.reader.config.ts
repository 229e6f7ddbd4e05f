import { defineConfig } from 'vite';
import { scriptTarget } from './oldest-browsers.ts';

/** The script of the page with which staff open sealed mail: one file, which `awhina open --make-reader` puts into the page. */
export default defineConfig({
  build: {
    outDir: 'dist/reader',
    target: scriptTarget,
    modulePreload: false,
    rolldownOptions: {
      input: 'src/reader/entry-reader.ts',
      output: { format: 'iife', entryFileNames: '[name].js' },
    },
  },
});
