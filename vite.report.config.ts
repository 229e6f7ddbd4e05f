import { defineConfig } from 'vite';

/** What draws the report's plots, with its library in it: one file, which `awhina report` loads and nothing else does. */
export default defineConfig({
  ssr: { noExternal: true },
  build: {
    ssr: 'src/report/plots.ts',
    outDir: 'dist/report',
    target: 'node20',
    minify: true,
    rolldownOptions: { output: { entryFileNames: '[name].js' } },
  },
});
