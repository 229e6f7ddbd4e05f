import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { defaultLibrary, type LibraryPicture, libraryFolder } from '../photos/library.ts';
import { pictureHash } from '../photos/rendition-specs.ts';
import { type ContentProblem, type ReadResult, readYaml } from './read-yaml.ts';
import { words } from './words.ts';

const indexName = 'index.yaml';

const percent = z
  .number({ error: 'expected a number from 0 to 100' })
  .min(0, 'expected a number from 0 to 100')
  .max(100, 'expected a number from 0 to 100');

function indexSchema(folder: string) {
  const file = z
    .string({ error: 'expected the name of a picture, such as beach.jpg' })
    .regex(/^[^/\\.][^/\\]*\.(svg|jpe?g|png|webp|avif)$/iu, {
      error: 'expected a picture beside this file: .jpg, .png, .webp, .avif or .svg',
      abort: true,
    })
    .refine((name) => existsSync(join(folder, name)), { error: 'there is no such file beside this one' });
  const picture = z.strictObject({
    file,
    keywords: z
      .array(words, { error: 'expected a list of keywords' })
      .min(1, 'expected at least one keyword'),
    alt: words,
    credit: words,
    focus: z.strictObject({ x: percent, y: percent }, { error: 'expected x and y, in percent' }).optional(),
  });
  return z.array(picture, { error: 'expected a list of pictures' }).superRefine((pictures, context) => {
    const seen = new Set<string>();
    for (const [index, one] of pictures.entries()) {
      if (seen.has(one.file)) {
        context.addIssue({ code: 'custom', path: [index, 'file'], message: `${one.file} is listed twice` });
      }
      seen.add(one.file);
    }
  });
}

/** A trust without a list of pictures gets the product's; one whose list is empty (`[]`) has none. */
export async function readPictures(contentDir: string): Promise<ReadResult<LibraryPicture[]>> {
  for (const folder of [join(contentDir, libraryFolder), defaultLibrary]) {
    const read = await readIndex(folder);
    if (!read.ok) return read;
    if (read.value) return { ok: true, value: read.value };
  }
  return { ok: true, value: [] };
}

/** Undefined where the folder has no list, or an empty file. */
async function readIndex(folder: string): Promise<ReadResult<LibraryPicture[] | undefined>> {
  const file = `${libraryFolder}/${indexName}`;
  const schema = indexSchema(folder).optional();
  const read = await readYaml(join(folder, indexName), file, { schema, optional: true });
  if (!read.ok) return read;
  if (!read.value) return { ok: true, value: undefined };
  const problems: ContentProblem[] = [];
  const value = await Promise.all(
    read.value.map(async (picture) => {
      const source = await readFile(join(folder, picture.file)).catch((error: NodeJS.ErrnoException) => {
        const file = `${libraryFolder}/${picture.file}`;
        const message =
          error.code === 'EISDIR'
            ? 'is a folder, and should be a picture'
            : `could not be read (${error.code})`;
        problems.push({ file, line: null, message });
        return Buffer.alloc(0);
      });
      return { folder, ...picture, hash: pictureHash(source, picture.focus) };
    }),
  );
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value };
}
