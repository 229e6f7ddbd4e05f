import { use } from 'react';
import { partsElementId } from '../../model/page-data.ts';
import { fetchPart } from '../fetch-part.ts';

/**
 * The form's code is a part of its own, so that the home page stays light. It is asked for when a visitor is about to
 * follow a link to it.
 */
type FormPageModule = typeof import('./FormPage.tsx');

let loaded: FormPageModule | null = null;
let loading: Promise<FormPageModule> | null = null;
let arriving: Promise<FormPageModule> | null = null;

export function loadFormPage(): Promise<FormPageModule> {
  loading ??= fetchAndImport().catch((error) => {
    // The next one to ask has it fetched again.
    loading = null;
    throw error;
  });
  return loading;
}

async function fetchAndImport(): Promise<FormPageModule> {
  if (!import.meta.env.SSR) {
    const address = document.getElementById(partsElementId)?.dataset.form;
    if (address) await fetchPart(address);
  }
  loaded = await import('./FormPage.tsx');
  return loaded;
}

/** Ahead of a visit that may never be made, so a connection that breaks is no matter. */
export function prepareFormPage(): void {
  loadFormPage().catch(() => {});
}

export function useFormPage(): FormPageModule['FormPage'] {
  if (loaded) return loaded.FormPage;
  arriving ??= loadFormPage().catch(() => {
    // The visitor has left the home page already, where nothing was typed. The connection broke, or the site has
    // changed since: a full visit gets the form, or the browser's own word about the connection.
    location.reload();
    return new Promise(() => {});
  });
  return use(arriving).FormPage;
}
