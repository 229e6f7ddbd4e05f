import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languagesFolder, listPoFiles } from '../../server/content/languages/read-po.ts';

/** The translations that come with the product: those of the example trust's site. */
const exampleContent = fileURLToPath(new URL('../../../content', import.meta.url));

/** The names of the files. */
export const listShipped = async (): Promise<string[]> => (await listPoFiles(exampleContent)).names;

/** '' where the product has no such file. */
export function readShipped(name: string): string {
  const path = join(exampleContent, languagesFolder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
