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
 * Names of an earlier version, with the names that took their place. A folder made for that version goes on working. One that
 * nothing replaced is ignored, and `awhina check` says that it can be deleted.
 */
export const earlierNames: Readonly<Partial<Record<string, readonly [from: string, to?: string][]>>> = {
  'site.yaml': [
    ['form.sent', 'form.receipt'],
    ['form.next', 'form.receipt.next'],
    ['form.notReady'],
    ['form.incomplete'],
    ['form.unavailable'],
    ['form.tryAgain'],
  ],
};
