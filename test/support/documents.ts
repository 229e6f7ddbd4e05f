import { readFileSync } from 'node:fs';

/** What a document asks its reader to type into a shell: its `sh` blocks, in order. */
export const shellBlocks = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
