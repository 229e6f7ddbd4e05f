import Fastify, { type FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFolders, type TestFolders } from '../../../test/support/content-folder.ts';
import { photo } from '../../../test/support/pictures.ts';
import { type ContentSource, openContent } from '../content/content-source.ts';
import { createLog } from '../log/log.ts';
import { createPhotos, type OpenPhotos } from './create-photos.ts';
import { registerPhotoRoutes } from './photo-routes.ts';

let folders: TestFolders;
let content: ContentSource;
let photos: OpenPhotos;
let app: FastifyInstance;

beforeAll(async () => {
  folders = await makeFolders();
  const entry = (file: string, keywords: string) =>
    `- file: ${file}\n  keywords: [${keywords}]\n  alt: Alt\n  credit: Us\n`;
  await folders.writePictures(
    entry('a.jpg', 'family') + entry('b.jpg', 'family') + entry('c.jpg', 'secret'),
    {
      'a.jpg': await photo('#111111'),
      'b.jpg': await photo('#222222'),
      'c.jpg': await photo('#333333'),
    },
  );
  content = await openContent(folders.contentDir, { changed() {}, broken() {} });
  photos = await createPhotos({ ...folders, pexels: undefined, content, log: createLog('silent') });
  await photos.settled();
  app = Fastify();
  registerPhotoRoutes(app, photos.files);
});
afterAll(async () => {
  await app.close();
  await photos.close();
  content.close();
  await folders.remove();
});

test.each([
  ['cover-1280@2x.avif', 'image/avif', 'heif'],
  ['cover-480@1x.webp', 'image/webp', 'webp'],
  ['cover-1920@1x.jpeg', 'image/jpeg', 'jpeg'],
  ['landscape.jpeg', 'image/jpeg', 'jpeg'],
])('%s is served as immutable, with its type', async (name, type, format) => {
  const [found] = await photos.search('family');
  const answer = await app.inject(`${found?.folder}/${name}`);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe(type);
  expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await sharp(answer.rawPayload).metadata()).format).toBe(format);
});

test.each([
  'made.json',
  'cover-480@3x.avif',
  'header-480@1x.avif',
  '..%2f..%2fpexels.json',
  '%2e%2e%2fmade.json',
  'medium.jpeg%00.avif',
  'MEDIUM.JPEG',
])('%s is not served', async (name) => {
  const [found] = await photos.search('family');
  const answer = await app.inject(`${found?.folder}/${name}`);
  expect(answer.statusCode).toBe(404);
  expect(answer.headers['cache-control']).not.toContain('immutable');
});

test('a missing picture is a 404', async () => {
  expect((await app.inject(`/photos/${'0'.repeat(32)}/medium.jpeg`)).statusCode).toBe(404);
  expect((await app.inject('/photos/../medium.jpeg')).statusCode).toBe(404);
});
