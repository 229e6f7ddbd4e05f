import type { FastifyInstance } from 'fastify';
import { routes } from '../../model/routes.ts';

export interface Pages {
  /** The placeholder's HTML, as it is now. */
  html(): string;
}

export async function registerPages(app: FastifyInstance, pages: Pages): Promise<void> {
  app.get(routes.home.path, async (_request, reply) => {
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache');
    return pages.html();
  });
}
