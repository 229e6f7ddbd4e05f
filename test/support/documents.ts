import { readFileSync } from 'node:fs';

/**
 * What a document asks its reader to type into a shell: its `sh` blocks, in order. A block for some readers only has a
 * name beside that, such as `sh nginx`.
 */
export const shellBlocks = (path: string, name?: string): string[] => {
  const opening = name ? `sh ${name}` : 'sh';
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/^```([a-z ]+)\n(.*?)^```$/gms)].flatMap(([, kind, block = '']) =>
    kind === opening ? block : [],
  );
};

/** The version that docs/upgrading.md upgrades to, and the one before, which it goes back to. */
export function documentedVersions(): { now: string; before: string } {
  const [now = '', before = ''] = shellBlocks('docs/upgrading.md').map(
    (block) => /awhina-(\d+\.\d+\.\d+)/.exec(block)?.[1],
  );
  return { now, before };
}
