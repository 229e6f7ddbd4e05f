import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { blankPath, retryFolderPattern } from '../../model/page-data.ts';
import { otherRoutes, pageNames, routes } from '../../model/routes.ts';
import { type FindReady, sendReady } from '../http/ready-responses.ts';
import { makeReady } from './compressed-file.ts';
import { registerMachineFiles } from './machine-files.ts';
import type { Pages } from './pages.ts';
import { languageRoute, ownRoute } from './render-pages.ts';

const { assets, photos, graphql, botCheck, health, metrics } = otherRoutes;
const assetRoute = `${assets}/*`;
/** The name contains the content's hash. */
const forEver = { 'cache-control': 'public, max-age=31536000, immutable' };

/** Addresses that only programs ask for: a missing one is a 404 and not a redirect to the home page. */
const notPages = [
  // Files of the pages, built or in development. The folders themselves redirect to the home page.
  new RegExp(`^(${assets}|${photos}|/src|/@[^/]+)/.`, 'i'),
  // What programs call, including /health itself: a monitor that follows a redirect would report that all is well.
  new RegExp(`^(${[graphql, botCheck, health, metrics].join('|')})(/|$)`, 'i'),
  /^\/\./,
  // Files that browsers and robots look for by themselves. Not .html or .php, because old links to pages end so.
  /\.(avif|css|gif|ico|jpe?g|js|json|map|mjs|png|svg|txt|webmanifest|webp|woff2?|xml)$/i,
];

export function registerPages(app: FastifyInstance, pages: Pages): void {
  pages.renderer.development?.mount(app);
  app.addHook('onClose', () => pages.close());

  // The router also matches /help/ and /%68elp, but a page has one address.
  const sendPage = async (address: string, request: FastifyRequest, reply: FastifyReply) => {
    const page = await pages.find(address);
    if (!page) return reply.callNotFound();
    return pathOf(request) === address ? sendReady(request, reply, page) : redirectTo(address, reply);
  };
  for (const name of pageNames) {
    const { path } = routes[name];
    app.get(path, async (request, reply) =>
      pathOf(request) === path ? sendPage(path, request, reply) : redirectTo(path, reply),
    );
  }
  // The trust's own pages and the languages change with the content.
  app.get<{ Params: { page: string } }>(ownRoute, (request, reply) =>
    sendPage(`/${request.params.page}`, request, reply),
  );
  // In another language. Its home page is at the address of an own page.
  app.get<{ Params: { language: string; page: string } }>(languageRoute + ownRoute, (request, reply) =>
    sendPage(`/${request.params.language}/${request.params.page}`, request, reply),
  );

  // The entry that the quick exit leaves in the history. Going Back to it leads to the neutral page again.
  app.get(blankPath, async (_request, reply) => {
    reply.headers({ 'cache-control': 'public, max-age=3600', 'x-robots-tag': 'noindex' });
    return reply.redirect(pages.content.current().site.leave.address, 302);
  });

  app.get(assetRoute, async (request, reply) => {
    const file = pages.renderer.files.get(pathOf(request).replace(retryFolderPattern, '/'));
    return file ? sendReady(request, reply, makeReady(file, forEver, assetRoute)) : reply.callNotFound();
  });

  registerMachineFiles(app, pages);

  app.setNotFoundHandler(respondUnknown(pages));
}

/** Finds the pages and the built files. */
export function findReadyPage(pages: Pages): FindReady {
  const assets = new Map(
    [...pages.renderer.files].map(([path, file]) => [path, makeReady(file, forEver, assetRoute)]),
  );
  return (address) => assets.get(address) ?? pages.findReady(address);
}

/** The path as it was sent, without the host, which a proxy may put before it (RFC 9112, 3.2.2). */
function pathOf(request: FastifyRequest): string {
  return request.url.replace(/^https?:\/\/[^/?]*/i, '').split('?')[0] || '/';
}

/** Not cached, and without the query, which may contain something personal. */
function redirectTo(path: string, reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(path, 302);
}

/** Redirects a person to the home page. The response never repeats the address, into which anything may have been typed. */
export const respondUnknown =
  (pages: Pages) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    const path = pathOf(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && !notPages.some((pattern) => pattern.test(path))) redirectTo(pages.findInstead(path), reply);
    else reply.code(404).header('cache-control', 'no-store').send({ error: 'There is nothing here' });
  };
