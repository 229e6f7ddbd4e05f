import { useSyncExternalStore } from 'react';
import { type Definition, type FormName, formNames } from '../../model/form-field.ts';
import { usePageData } from '../page-data-context.ts';

/** The client's whole state: the two lists of questions, from the page where it brought them, else from the server. */
type Slot = Definition | 'loading' | 'failed';

const slots: Record<FormName, Slot> = { help: 'loading', contact: 'loading' };
const listeners = new Set<() => void>();

export function startForms(primed: Record<FormName, Definition | null>): void {
  for (const name of formNames) slots[name] = primed[name] ?? 'loading';
  void fetchForms();
}

/** Fetches, both together, what is not here. Never rejects: a failure is logged where it happens, and shown. */
export async function fetchForms(): Promise<void> {
  const missing = formNames.filter((name) => typeof slots[name] === 'string');
  if (missing.length === 0) return;
  for (const name of missing) slots[name] = 'loading';
  tell();
  await Promise.all(
    missing.map(async (name) => {
      try {
        const { fetchDefinition } = await import('./calls.ts');
        slots[name] = await fetchDefinition(name);
      } catch {
        slots[name] = 'failed';
      }
      tell();
    }),
  );
}

function tell(): void {
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
