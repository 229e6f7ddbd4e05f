import { useSyncExternalStore } from 'react';
import type { Definition, FormName } from '../../../model/form-field.ts';
import { type PageLanguage, translationOf } from '../../../model/language.ts';
import { usePageData } from '../../page-data-context.ts';
import { fetchDefinition } from '../sending/calls.ts';

const fetchFailures = {
  help: 'Could not get the help request field',
  contact: 'Could not get the contact request field',
} as const satisfies Record<FormName, string>;

/** Definitions that are newer than those in the page data, by prefix of the language and name of the form. */
const renewed: Partial<Record<string, Definition>> = {};
const listeners = new Set<() => void>();

/**
 * Fetches a definition again, for when the server refused answers that are valid by the definition of this page. Null where
 * the server cannot be reached.
 */
export async function renewForm(
  name: FormName,
  language: PageLanguage,
  remainingMs: number,
): Promise<Definition | null> {
  try {
    const definition = await fetchDefinition(name, translationOf(language), remainingMs);
    renewed[language.prefix + name] = definition;
    for (const listener of listeners) listener();
    return definition;
  } catch (cause) {
    console.error(fetchFailures[name], cause);
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useDefinition(name: FormName): Definition {
  const { forms, language } = usePageData();
  return useSyncExternalStore(
    subscribe,
    () => renewed[language.prefix + name] ?? forms[name],
    () => forms[name],
  );
}
