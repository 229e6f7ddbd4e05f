import type { Photo } from '../../src/model/photo.ts';
import { type ContentSource, openContent } from '../../src/server/content/content-source.ts';
import { createLog } from '../../src/server/log/log.ts';
import { createPhotos, type OpenPhotos } from '../../src/server/photos/create-photos.ts';
import { imageLimits } from '../../src/server/photos/fetch-image.ts';
import { makeFolders, type TestFolders } from './content-folder.ts';
import { answerBytes, answerPhotos, type FakePexels, servicePhoto, startFakePexels } from './fake-pexels.ts';
import { photo } from './pictures.ts';

export const hour = 60 * 60 * 1000;

/** The lines of YAML for the one picture every library here begins with. */
export const library = '- file: ours.jpg\n  keywords: [family]\n  alt: Ours\n  credit: The trust\n';

export interface PhotoWorld {
  folders: TestFolders;
  /** Answers every search with photo 1, until told otherwise. */
  fake: FakePexels;
  content: ContentSource;
  /** What was logged. */
  lines: Record<string, unknown>[];
  clock: number;
  /** The timeouts of a search and of a picture. Far more than needed, except in tests of timeouts. */
  searchMs: number;
  imageMs: number;
  onBrokenContent: () => void;
  /** Opens the photos as a start does, and waits until nothing is being fetched or made. */
  open(options?: { key: boolean }): Promise<OpenPhotos>;
  said(event: string): Record<string, unknown>[];
  close(): Promise<void>;
}

/** A content folder with one picture, a photo service, a log to read and a clock to set. */
export async function makePhotoWorld(): Promise<PhotoWorld> {
  const folders = await makeFolders();
  await folders.writePictures(library, { 'ours.jpg': await photo('#804020') });
  const fake = await startFakePexels();
  fake.images.set('/1.jpeg', answerBytes(await photo('#102030')));
  fake.search = answerPhotos([servicePhoto(1, `${fake.url}/1.jpeg`)]);
  const opened: OpenPhotos[] = [];
  const content = await openContent(folders.contentDir, {
    changed() {},
    broken: () => world.onBrokenContent(),
  });
  const world: PhotoWorld = {
    folders,
    fake,
    content,
    lines: [],
    clock: Date.now(),
    searchMs: 10_000,
    imageMs: 10_000,
    onBrokenContent() {},
    async open({ key } = { key: true }) {
      const photos = await createPhotos({
        ...folders,
        pexels: key ? { ...fake, timeoutMs: world.searchMs } : undefined,
        content,
        log: createLog('info', { write: (line) => void world.lines.push(JSON.parse(line)) }),
        now: () => world.clock,
        imageLimits: { ...imageLimits, bytes: 1_000_000, ms: world.imageMs },
      });
      opened.push(photos);
      await photos.settled();
      return photos;
    },
    said: (event) => world.lines.filter((line) => line.event === event),
    async close() {
      for (const photos of opened) await photos.close();
      content.close();
      await fake.close();
      await folders.remove();
    },
  };
  return world;
}

export async function foundIds(photos: OpenPhotos, query = 'family'): Promise<string[]> {
  return (await photos.search(query)).map(({ id }) => id);
}

/** Resolves when a search finds exactly what is described. */
export function untilFound(photos: OpenPhotos, query: string, wanted: Partial<Photo>[]): Promise<void> {
  return new Promise((resolve) => {
    const look = async () => {
      const found = await photos.search(query);
      const same = (photo: Partial<Photo>, at: number) =>
        Object.entries(photo).every(([key, value]) => found[at]?.[key as keyof Photo] === value);
      if (found.length === wanted.length && wanted.every(same)) {
        stop();
        resolve();
      }
    };
    const stop = photos.onChange(() => void look());
    void look();
  });
}
