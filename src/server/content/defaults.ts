import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { FormName } from '../../model/form-field.ts';

/** The texts that the pages use where a trust's content/ has none of its own. */
export const defaultsFolder = fileURLToPath(new URL('./defaults', import.meta.url));

/** The files of a trust's content/. Only site.yaml is required, because it says who the trust is. */
export type ContentFile = 'site.yaml' | 'helplines.yaml' | `forms/${FormName}.yaml`;

const read = (file: ContentFile): unknown => parse(readFileSync(`${defaultsFolder}/${file}`, 'utf8'));

export const defaults: Readonly<Record<ContentFile, unknown>> = {
  'site.yaml': read('site.yaml'),
  'helplines.yaml': read('helplines.yaml'),
  'forms/help.yaml': read('forms/help.yaml'),
  'forms/contact.yaml': read('forms/contact.yaml'),
};

/**
 * Names that only an earlier version knew. They are ignored, so that a folder made for that version goes on working, and
 * `awhina check` says that they can be deleted.
 */
export const retiredNames: Readonly<Partial<Record<ContentFile, readonly string[][]>>> = {
  'site.yaml': [
    ['form', 'notReady'],
    ['form', 'unavailable'],
    ['form', 'tryAgain'],
  ],
};

/**
 * Names that an earlier version had at another path, from and to. A folder made for that version goes on working.
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
