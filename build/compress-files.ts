import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressions = { br: promisify(brotliCompress), gz: promisify(gzip) };

/**
 * Writes a brotli and a gzip file beside each file, so that the server never compresses them. The plugin reads the written
 * files, because Vite changes a bundle until it is written.
 */
export const compressFiles: Plugin = {
  name: 'compress-files',
  async writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle)) {
      const content = await readFile(join(dir, name));
      for (const [extension, compress] of Object.entries(compressions)) {
        await writeFile(join(dir, `${name}.${extension}`), await compress(content));
      }
    }
  },
};
