import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { againPattern, blankPath } from '../../model/page-data.ts';
import { pageNames, routes } from '../../model/routes.ts';
import { type FindReady, sendReady } from '../http/ready-responses.ts';
import { makeReady } from './compressed-file.ts';
import { registerMachineFiles } from './machine-files.ts';
import type { Pages } from './pages.ts';
import { ownRoute } from './render-own-pages.ts';

const assetRoute = '/assets/*';
/** The name has the content's hash in it. */
const forEver = { 'cache-control': 'public, max-age=31536000, immutable' };

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

export function registerPages(app: FastifyInstance, pages: Pages): void {
  pages.renderer.development?.mount(app);
  app.addHook('onClose', () => pages.close());

  for (const name of pageNames) {
    const { path } = routes[name];
    app.get(path, async (request, reply) => {
      // The router also takes /help/ and /%68elp for /help, but a page has one address.
      if (pathOf(request) !== path) return leadTo(path, reply);
      return sendReady(request, reply, await pages.get(name));
    });
  }

  // What the exit leaves in the history. Not a page: whoever goes Back to it sees the one that they left for.
  app.get(blankPath, async (_request, reply) => {
    reply.headers({ 'cache-control': 'public, max-age=3600', 'x-robots-tag': 'noindex' });
    return reply.redirect(pages.content.current().site.leave.address, 302);
  });

  // The trust's own pages, which come and go with the content.
  app.get<{ Params: { page: string } }>(ownRoute, async (request, reply) => {
    const { page } = request.params;
    const own = await pages.getOwn(page);
    if (!own) return reply.callNotFound();
    if (pathOf(request) !== `/${page}`) return leadTo(`/${page}`, reply);
    return sendReady(request, reply, own);
  });

  app.get(assetRoute, async (request, reply) => {
    const path = pathOf(request).replace(againPattern, '/');
    const file =
      pages.renderer.files.get(path) ?? (await pages.earlierBuilds?.find(path.slice('/assets/'.length)));
    return file ? sendReady(request, reply, makeReady(file, forEver, assetRoute)) : reply.callNotFound();
  });

  registerMachineFiles(app, pages);

  app.setNotFoundHandler(answerUnknown);
}

/** The pages, and the files of the build that runs. Those of earlier builds are looked for. */
export function findReadyPage(pages: Pages): FindReady {
  const assets = new Map(
    [...pages.renderer.files].map(([path, file]) => [path, makeReady(file, forEver, assetRoute)]),
  );
  return (address) => assets.get(address) ?? pages.findReady(address);
}

/** As it was sent. A proxy may send the whole address with it (RFC 9112, 3.2.2). */
function pathOf(request: FastifyRequest): string {
  return request.url.replace(/^https?:\/\/[^/?]*/i, '').split('?')[0] || '/';
}

/** For this once, and without the query, which may hold something personal. */
function leadTo(path: string, reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(path, 302);
}

/** Leads home who asked for a page. Nothing of the address is said again: anything may have been typed into it. */
export function answerUnknown(request: FastifyRequest, reply: FastifyReply): void {
  const path = pathOf(request);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && !notPages.some((pattern) => pattern.test(path))) leadTo(routes.home.path, reply);
  else reply.code(404).header('cache-control', 'no-store').send({ error: 'There is nothing here' });
}
