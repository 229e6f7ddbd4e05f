import type { FastifyInstance } from 'fastify';
import { sendReady } from '../http/ready-responses.ts';
import { type PictureFiles, pictureRoute } from './picture-files.ts';

export function registerPhotoRoutes(app: FastifyInstance, files: PictureFiles): void {
  app.get<{ Params: { hash: string; file: string } }>(pictureRoute, async (request, reply) => {
    const ready = await files.read(request.params.hash, request.params.file);
    // No cache may remember a picture that is still being made as missing.
    if (!ready) return reply.code(404).header('cache-control', 'no-store').send({ error: 'Not found' });
    return sendReady(request, reply, ready);
  });
}
