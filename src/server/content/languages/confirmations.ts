import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { type ReadResult, readYaml } from '../read-yaml.ts';
import { words } from '../words.ts';
import { languagesFolder } from './read-po.ts';

/**
 * Who has read which translation, and when: content/languages/confirmed.yaml. A translation file is somebody else's text, so it
 * cannot say so itself. Of each sentence that was read there is a fingerprint: one that changes afterwards is not shown until
 * somebody has read it again, and all others stay.
 */

export const confirmationsFile = `${languagesFolder}/confirmed.yaml`;

const confirmation = z.strictObject({
  by: words,
  on: z.iso.date('expected a day, such as 2026-11-30'),
  /** Fingerprints with spaces between them. */
  sentences: z.string(),
});
export type Confirmation = z.output<typeof confirmation>;
/** By tag. */
export type Confirmations = Readonly<Record<string, Confirmation>>;

export async function readConfirmations(contentDir: string): Promise<ReadResult<Confirmations>> {
  const schema = z.record(z.string(), confirmation);
  return readYaml(join(contentDir, confirmationsFile), confirmationsFile, {
    schema,
    defaults: {},
    optional: true,
  });
}

export const writeConfirmations = (confirmations: Confirmations): string =>
  `# Who has read which translation, and when. awhina languages confirm TAG --by NAME writes this file.
# To take a language off the site, delete its lines.
${stringify(confirmations)}`;

/** Of a translation and what it translates. Long enough that no other words have the same. */
export const fingerprintOf = (key: string, translation: string): string =>
  createHash('sha256').update(`${key}\u0004${translation}`).digest('base64url').slice(0, 22);

/** The key of the language's own name, which every page shows. */
export const nameKey = 'X-Name';
