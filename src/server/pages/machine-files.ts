import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { keepFile, sendKept } from './kept-file.ts';
import type { Pages } from './pages.ts';

/** What robots, browsers and security researchers look for at fixed addresses. */

const forAnHour = 'public, max-age=3600';
const yearMs = 365 * 24 * 60 * 60 * 1000;

export function registerMachineFiles(app: FastifyInstance, { content, contentDir, publicUrl }: Pages): void {
  app.get('/favicon.svg', async (request, reply) => {
    const logo = await readFile(join(contentDir, 'logo.svg')).catch(() => null);
    if (logo === null) return reply.callNotFound();
    return sendKept(request, reply, await keepFile(logo, 'image/svg+xml'), forAnHour);
  });

  app.get('/robots.txt', async (_request, reply) => {
    reply.type('text/plain; charset=utf-8').header('cache-control', forAnHour);
    return 'User-agent: *\nAllow: /\n';
  });

  app.get('/.well-known/security.txt', async (_request, reply) => {
    reply.type('text/plain; charset=utf-8').header('cache-control', forAnHour);
    const path = '/.well-known/security.txt';
    return [
      `Contact: mailto:${content.current().site.adminEmail}`,
      // RFC 9116 wants a day less than a year away.
      `Expires: ${new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 + yearMs - 86_400_000).toISOString()}`,
      'Preferred-Languages: en, mi',
      ...(publicUrl ? [`Canonical: ${publicUrl}${path}`] : []),
      '',
    ].join('\n');
  });
}
