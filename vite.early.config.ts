import { defineConfig } from 'vite';

/** The script that travels inside the page: one file with everything in it, and no imports. */
export default defineConfig({
  build: {
    outDir: 'dist/early',
    modulePreload: false,
    rolldownOptions: {
      input: 'src/web/entry-early.ts',
      output: { format: 'iife', entryFileNames: '[name].js' },
    },
  },
});
