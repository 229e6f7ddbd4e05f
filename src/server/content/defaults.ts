import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** What the pages say where a trust's content/ says nothing of its own. */

/** Where a trust can read our words. */
export const defaultsFolder = fileURLToPath(new URL('./defaults', import.meta.url));

/** What a trust's content/ is made of. Only site.yaml must be there, because it says who the trust is. */
export type ContentFile = 'site.yaml' | 'helplines.yaml' | 'forms/help.yaml' | 'forms/contact.yaml';

const read = (file: ContentFile): unknown => parse(readFileSync(`${defaultsFolder}/${file}`, 'utf8'));

export const defaults: Readonly<Record<ContentFile, unknown>> = {
  'site.yaml': read('site.yaml'),
  'helplines.yaml': read('helplines.yaml'),
  'forms/help.yaml': read('forms/help.yaml'),
  'forms/contact.yaml': read('forms/contact.yaml'),
};

/**
 * Names that an earlier version knew and this one does not. A folder made for that one goes on working: they are ignored,
 * and `awhina check` says that they can go.
 */
export const retiredNames: Readonly<Partial<Record<ContentFile, readonly string[][]>>> = {
  'site.yaml': [['form', 'notReady']],
};

/**
 * Names that an earlier version had elsewhere, from and to. A folder made for that version goes on working with them.
 */
export const renamedNames: Readonly<Partial<Record<string, readonly [from: string[], to: string[]][]>>> = {
  'site.yaml': [
    [
      ['form', 'sent'],
      ['form', 'receipt'],
    ],
    [
      ['form', 'next'],
      ['form', 'receipt', 'next'],
    ],
  ],
};
