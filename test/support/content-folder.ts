import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestFolders {
  contentDir: string;
  dataDir: string;
  writePictures(index: string, files: Record<string, Uint8Array>): Promise<void>;
  remove(): Promise<void>;
}

/** A copy of the shipped content without pictures, and an empty data folder. A test may change both. */
export async function makeFolders(): Promise<TestFolders> {
  const folder = await mkdtemp(join(tmpdir(), 'awhina-pictures-'));
  const contentDir = join(folder, 'content');
  for (const file of ['site.yaml', 'helplines.yaml']) await cp(join('content', file), join(contentDir, file));
  await cp('content/forms', join(contentDir, 'forms'), { recursive: true });
  await mkdir(join(contentDir, 'photos'));
  return {
    contentDir,
    dataDir: join(folder, 'data'),
    async writePictures(index, files) {
      for (const [name, bytes] of Object.entries(files)) {
        await writeFile(join(contentDir, 'photos', name), bytes);
      }
      await writeFile(join(contentDir, 'photos', 'index.yaml'), index);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
