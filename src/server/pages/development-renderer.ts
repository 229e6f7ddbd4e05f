import type { EntryServer, Renderer } from './renderer.ts';

/** The React sources themselves, through Vite: what is saved is seen at once. */
export async function startDevelopmentRenderer(): Promise<Renderer> {
  // Only development has Vite, so only here is it asked for.
  const { createServer } = await import('vite');
  const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' });
  const loadEntry = () => vite.ssrLoadModule('/src/web/entry-server.tsx') as Promise<EntryServer>;
  return {
    assets: {
      css: '',
      early: "import('/src/web/early/entry-early.ts')",
      script: '/src/web/entry-client.tsx',
      // Vite finds it by itself.
      formScript: '',
      // Not to run: with the modules come their styles.
      ownScript: '/src/web/own-page/OwnPage.tsx',
    },
    files: new Map(),
    render: async (page, data) => (await loadEntry()).render(page, data),
    renderOwn: async (own) => (await loadEntry()).renderOwn(own),
    renderAway: async (away) => (await loadEntry()).renderAway(away),
    development: {
      finish: (path, html) => vite.transformIndexHtml(path, html),
      // Vite answers for its own addresses and hands on all others.
      mount: (app) =>
        void app.addHook('onRequest', (request, reply, next) => {
          vite.middlewares(request.raw, reply.raw, next);
        }),
      reload: () => vite.ws.send({ type: 'full-reload' }),
      close: () => vite.close(),
    },
  };
}
