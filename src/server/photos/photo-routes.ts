import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type FindReady, prepareReply, type ReadyResponse, sendReady } from '../http/ready-responses.ts';
import { defaultPerPage } from './create-photos.ts';
import type { PhotoContentSource } from './library.ts';
import { normalizeKeywords, photoUses } from './photo-uses.ts';
import type { PhotoFiles, Photos } from './photos.ts';

const folder = '/photos/';
const pictureRoute = '/photos/:hash/:file';

const contentTypes: Record<string, string> = {
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.jpeg': 'image/jpeg',
};

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
  photos: Photos & { files: PhotoFiles };
  content: PhotoContentSource;
}

export function registerPhotoRoutes(app: FastifyInstance, { photos, content }: PhotoRoutesParts): void {
  app.get('/photos/search', async (request, reply) => {
    reply.header('cache-control', 'no-cache');
    const asked = searchSchema.safeParse(request.query);
    if (!asked.success) {
      return reply.code(400).send({ error: 'Expected a query, and a per_page from 1 to 80' });
    }
    const { query, per_page } = asked.data;
    // Only the site's own searches, so that nobody uses it to reach the photo service.
    if (!photoUses(content.current()).has(normalizeKeywords(query)))
      return reply.code(404).send({ photos: [] });
    return { photos: await photos.search(query, per_page) };
  });

  app.get<{ Params: { hash: string; file: string } }>(pictureRoute, async (request, reply) => {
    const { hash, file } = request.params;
    const bytes = await photos.files.read(hash, file);
    // No cache may remember a picture that is still being made as missing.
    if (!bytes) return reply.code(404).header('cache-control', 'no-store').send({ error: 'Not found' });
    return sendReady(request, reply, readyPicture(file, bytes));
  });
}

/** Pictures that are in memory. */
export function findReadyPicture(files: PhotoFiles): FindReady {
  const known = new WeakMap<Buffer, ReadyResponse>();
  return (address) => {
    if (!address.startsWith(folder)) return null;
    const bytes = files.findInMemory?.(address.slice(folder.length)) ?? null;
    if (bytes === null) return null;
    const ready = known.get(bytes) ?? readyPicture(address, bytes);
    known.set(bytes, ready);
    return ready;
  };
}

function readyPicture(name: string, bytes: Buffer): ReadyResponse {
  const type = contentTypes[extname(name)] ?? 'application/octet-stream';
  const reply = prepareReply(
    { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' },
    bytes,
  );
  return { route: pictureRoute, replyTo: () => reply };
}
