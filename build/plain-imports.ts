import type { Plugin } from 'vite';

/** Vite wraps every `import()` in a helper that first loads styles and preloads. Here the page itself brings both. */
export const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: {
    filter: { id: /vite\/preload-helper\.js$/ },
    handler: () => 'export const __vitePreload = (load) => load();',
  },
};
