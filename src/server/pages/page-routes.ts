import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageNames, routes } from '../../model/routes.ts';
import { sendKept } from './kept-file.ts';
import { registerMachineFiles } from './machine-files.ts';
import type { Pages } from './pages.ts';

/** Always asked for again, and answered with 304 where nothing changed. */
const alwaysFresh = 'no-cache';
/** The name has the content's hash in it. */
const forEver = 'public, max-age=31536000, immutable';

/** Addresses that no person asks for: what is missing there is missing. */
const notPages = [
  // Files of the pages, built or in development. The folders themselves have nothing to see, so they lead home.
  /^\/(assets|photos|src|@[^/]+)\/./i,
  // What programs call, down to /health itself: a monitor led home would find that all is well.
  /^\/(graphql|bot-check|health)(\/|$)/i,
  /^\/\./,
  // Files that browsers and robots look for unasked. Not .html or .php: old links to pages end like that.
  /\.(avif|css|gif|ico|jpe?g|js|json|map|mjs|png|svg|txt|webmanifest|webp|woff2?|xml)$/i,
];

export async function registerPages(app: FastifyInstance, pages: Pages): Promise<void> {
  pages.renderer.development?.mount(app);
  app.addHook('onReady', () => pages.start((document) => app.graphql(document)));
  app.addHook('onClose', () => pages.close());

  for (const name of pageNames) {
    app.get(routes[name].path, async (request, reply) => {
      const { file, policy } = await pages.get(name);
      if (policy !== null) reply.header('content-security-policy', policy);
      return sendKept(request, reply, file, alwaysFresh);
    });
  }

  app.get('/assets/*', async (request, reply) => {
    const file = pages.renderer.files.get(request.url.split('?')[0] ?? '');
    return file ? sendKept(request, reply, file, forEver) : reply.callNotFound();
  });

  registerMachineFiles(app, pages);

  app.setNotFoundHandler(answerUnknown);
}

/** Leads home who asked for a page. Nothing of the address is said again: anything may have been typed into it. */
export function answerUnknown(request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.split('?')[0] ?? '';
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  reply.header('cache-control', 'no-store');
  if (isRead && !notPages.some((pattern) => pattern.test(path))) reply.redirect(routes.home.path, 302);
  else reply.code(404).send({ error: 'There is nothing here' });
}
