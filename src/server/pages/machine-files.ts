import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { defaultsFolder } from '../content/defaults.ts';
import { sendReady } from '../http/ready-responses.ts';
import { shareFor } from '../time/share-for.ts';
import { type CompressedFile, compressFile, makeReady } from './compressed-file.ts';
import type { Pages } from './pages.ts';
import { composeSitemap } from './sitemap.ts';

/** The files that robots, browsers and security researchers expect at fixed addresses. */

const sitemapPath = '/sitemap.xml';
const forAnHour = 'public, max-age=3600';
const yearMs = 365 * 24 * 60 * 60 * 1000;

/** How long a changed logo may go unnoticed. */
const logoCheckMs = 2_000;

export function registerMachineFiles(app: FastifyInstance, { content, publicUrl }: Pages): void {
  const ofTrust = followFile(
    () => join(content.current().folder, 'logo.svg'),
    'image/svg+xml; charset=utf-8',
  );
  const fallback = followFile(() => join(defaultsFolder, 'logo.svg'), 'image/svg+xml; charset=utf-8');
  const findLogo = shareFor(logoCheckMs, async () => (await ofTrust()) ?? fallback());

  app.get('/favicon.svg', async (request, reply) => {
    const logo = await findLogo();
    if (!logo) return reply.callNotFound();
    return sendReady(request, reply, makeReady(logo, { 'cache-control': forAnHour }, '/favicon.svg'));
  });

  app.get('/robots.txt', async (_request, reply) => {
    reply.type('text/plain; charset=utf-8').header('cache-control', forAnHour);
    return `User-agent: *\nAllow: /\n${publicUrl ? `Sitemap: ${publicUrl}${sitemapPath}\n` : ''}`;
  });

  // Its addresses must be absolute.
  if (publicUrl) {
    app.get(sitemapPath, async (_request, reply) => {
      reply.type('application/xml; charset=utf-8').header('cache-control', forAnHour);
      return composeSitemap(content.current(), publicUrl);
    });
  }

  app.get('/.well-known/security.txt', async (_request, reply) => {
    reply.type('text/plain; charset=utf-8').header('cache-control', forAnHour);
    const path = '/.well-known/security.txt';
    return [
      `Contact: mailto:${content.current().site.adminEmail}`,
      // RFC 9116 recommends less than a year ahead.
      `Expires: ${new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 + yearMs - 86_400_000).toISOString()}`,
      'Preferred-Languages: en, mi',
      ...(publicUrl ? [`Canonical: ${publicUrl}${path}`] : []),
      '',
    ].join('\n');
  });
}

/** A file that may be replaced at any time, and is read and compressed again only then. Null while there is none. */
function followFile(findPath: () => string, type: string): () => Promise<CompressedFile | null> {
  let cached: { version: string; file: CompressedFile } | null = null;
  return async () => {
    try {
      const path = findPath();
      const { mtimeMs, size } = await stat(path);
      const version = `${path} ${mtimeMs} ${size}`;
      if (cached?.version !== version)
        cached = { version, file: await compressFile(await readFile(path), type) };
      return cached.file;
    } catch (error) {
      // After any other error, such as too many open files, the last logo is served.
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : (cached?.file ?? null);
    }
  };
}
