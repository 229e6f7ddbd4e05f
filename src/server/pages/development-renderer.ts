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
  return {
    assets: {
      css: '',
      print: '',
      laterStyles: '',
      early: "import('/src/web/early/entry-early.ts')",
      slow: "import('/src/web/early/entry-slow.ts');",
      script: '/src/web/entry-client.tsx',
      // Vite finds the forms' part by itself.
      formScript: '',
      // For the styles that Vite brings with the module.
      ownScript: '/src/web/own-page/OwnPage.tsx',
    },
    files: new Map(),
    async render(view) {
      const entry = (await vite.ssrLoadModule('/src/web/entry-server.tsx')) as EntryServer;
      const { body, css } = entry.render(view);
      // Vite brings the styles of pages with a script.
      return { body, css: view.kind === 'page' ? '' : css };
    },
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
