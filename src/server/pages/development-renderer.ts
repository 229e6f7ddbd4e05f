import type { EntryServer, Renderer } from './renderer.ts';

const entry = '/src/web/entry-client.tsx';

/** The React sources themselves, through Vite: what is saved is seen at once. */
export async function startDevelopmentRenderer(): Promise<Renderer> {
  // Only development has Vite, so only here is it asked for.
  const { createServer } = await import('vite');
  const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' });
  return {
    assets: {
      css: '',
      early: "import('/src/web/entry-early.ts')",
      parts: { home: [entry], help: [entry], contact: [entry] },
      form: '',
    },
    files: new Map(),
    async render(page, data) {
      const { render } = (await vite.ssrLoadModule('/src/web/entry-server.tsx')) as EntryServer;
      return render(page, data);
    },
    development: {
      finish: (path, html) => vite.transformIndexHtml(path, html),
      // Vite answers for its own addresses and hands on all others. Its scripts are in the pages too, so no policy.
      mount: (app) =>
        void app.addHook('onRequest', (request, reply, next) => {
          reply.raw.removeHeader('content-security-policy');
          vite.middlewares(request.raw, reply.raw, next);
        }),
      reload: () => vite.ws.send({ type: 'full-reload' }),
      close: () => vite.close(),
    },
  };
}
