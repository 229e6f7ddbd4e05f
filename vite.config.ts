import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react()],
  worker: { format: 'es' },
  build: isSsrBuild
    ? { outDir: 'dist/server', rolldownOptions: { input: 'src/web/entry-server.tsx' } }
    : {
        outDir: 'dist/client',
        manifest: true,
        // One stylesheet, because it travels inside the page.
        cssCodeSplit: false,
        // The server writes the preloads into the page; nothing is left for a script to do.
        modulePreload: false,
        rolldownOptions: { input: 'src/web/entry-client.tsx' },
      },
}));
