import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { sendReady } from '../http/ready-responses.ts';
import { defaultPerPage } from './create-photos.ts';
import { normalizeKeywords, type PhotoContentSource, photoUses } from './library.ts';
import type { Photos } from './photos.ts';
import { type PictureFiles, pictureRoute } from './picture-files.ts';

/** The photo service has the same bounds. */
const searchSchema = z.object({
  query: z.string(),
  per_page: z
    .string()
    .regex(/^\d{1,2}$/)
    .transform(Number)
    .pipe(z.number().min(1).max(80))
    .default(defaultPerPage),
});

export interface PhotoRoutesParts {
  photos: Photos & { files: PictureFiles };
  content: PhotoContentSource;
}

export function registerPhotoRoutes(app: FastifyInstance, { photos, content }: PhotoRoutesParts): void {
  app.get('/photos/search', async (request, reply) => {
    reply.header('cache-control', 'no-cache');
    const asked = searchSchema.safeParse(request.query);
    if (!asked.success)
      return reply.code(400).send({ error: 'Expected a query, and a per_page from 1 to 80' });
    const { query, per_page } = asked.data;
    // Only the site's own searches, so that nobody uses it to reach the photo service.
    if (!photoUses(content.current()).has(normalizeKeywords(query)))
      return reply.code(404).send({ photos: [] });
    return { photos: await photos.search(query, per_page) };
  });

  app.get<{ Params: { hash: string; file: string } }>(pictureRoute, async (request, reply) => {
    const ready = await photos.files.read(request.params.hash, request.params.file);
    // No cache may remember a picture that is still being made as missing.
    if (!ready) return reply.code(404).header('cache-control', 'no-store').send({ error: 'Not found' });
    return sendReady(request, reply, ready);
  });
}
