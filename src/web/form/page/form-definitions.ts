import { useSyncExternalStore } from 'react';
import { type Definition, type FormName, formNames } from '../../../model/form-field.ts';
import { usePageData } from '../../page-data-context.ts';
import { fetchDefinition } from '../sending/calls.ts';

/** The definitions of both forms: from the page data where it has them, else fetched. */
type Slot = Definition | 'loading' | 'failed';

const fetchFailures = {
  help: 'Could not get the help request field',
  contact: 'Could not get the contact request field',
} as const satisfies Record<FormName, string>;

const slots: Record<FormName, Slot> = { help: 'loading', contact: 'loading' };
const listeners = new Set<() => void>();

export function startForms(primed: Record<FormName, Definition | null>): void {
  for (const name of formNames) slots[name] = primed[name] ?? 'loading';
  void fetchForms();
}

/** Fetches the missing definitions in parallel. Never rejects: a failure is logged and shown. */
export async function fetchForms(): Promise<void> {
  const missing = formNames.filter((name) => typeof slots[name] === 'string');
  if (missing.length === 0) return;
  for (const name of missing) slots[name] = 'loading';
  notify();
  await Promise.all(
    missing.map(async (name) => {
      slots[name] = await fetchForm(name).catch(() => 'failed' as const);
      notify();
    }),
  );
}

/**
 * Fetches a definition again, for when the server refused answers that are valid by the definition of this page. Null where
 * the server cannot be reached.
 */
export async function renewForm(name: FormName, leftMs: number): Promise<Definition | null> {
  const definition = await fetchForm(name, leftMs).catch(() => null);
  if (definition) slots[name] = definition;
  notify();
  return definition;
}

/** @throws with the wording of `fetchFailures`, after logging the cause. */
async function fetchForm(name: FormName, leftMs?: number): Promise<Definition> {
  try {
    return await fetchDefinition(name, leftMs);
  } catch (cause) {
    console.error(fetchFailures[name], cause);
    throw new Error(fetchFailures[name], { cause });
  }
}

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useDefinition(name: FormName): Slot {
  const { forms } = usePageData();
  return useSyncExternalStore(
    subscribe,
    () => slots[name],
    () => forms[name] ?? 'loading',
  );
}
