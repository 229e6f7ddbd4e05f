import type { EntryServer, Renderer } from './renderer.ts';

/** Renders from the React sources, through Vite, so that a saved change shows at once. */
export async function startDevelopmentRenderer(): Promise<Renderer> {
  // Imported here, because a release contains neither Vite nor build/.
  const { createServer } = await import('vite');
  const { development } = await import('../../../build/configurations.ts');
  const vite = await createServer({
    ...development,
    configFile: false,
    server: { middlewareMode: true },
    appType: 'custom',
  });
  const loadEntry = () => vite.ssrLoadModule('/src/web/entry-server.tsx') as Promise<EntryServer>;
  return {
    assets: {
      css: '',
      laterCss: '',
      laterStyles: '',
      early: "import('/src/web/early/entry-early.ts')",
      script: '/src/web/entry-client.tsx',
      // Vite finds the forms' part by itself.
      formScript: '',
      // For the styles that Vite brings with the module.
      ownScript: '/src/web/own-page/OwnPage.tsx',
    },
    files: new Map(),
    render: async (page, data) => (await loadEntry()).render(page, data),
    renderOwn: async (own) => (await loadEntry()).renderOwn(own),
    renderAway: async (away) => (await loadEntry()).renderAway(away),
    renderStaff: async (staff) => (await loadEntry()).renderStaff(staff),
    development: {
      finish: (path, html) => vite.transformIndexHtml(path, html),
      // Vite responds to its own addresses and passes on all others.
      mount: (app) =>
        void app.addHook('onRequest', (request, reply, next) => {
          vite.middlewares(request.raw, reply.raw, next);
        }),
      reload: () => vite.ws.send({ type: 'full-reload' }),
      close: () => vite.close(),
    },
  };
}
