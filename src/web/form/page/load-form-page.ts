import { use } from 'react';
import { entryElementId } from '../../../model/page-data.ts';

/**
 * The form's code is a chunk of its own, so that the home page stays small. It is fetched when a visitor is about to follow
 * a link to a form.
 */
type FormPageModule = typeof import('./FormPage.tsx');

let loaded: FormPageModule | null = null;
let loading: Promise<FormPageModule> | null = null;
let loadingOrReload: Promise<FormPageModule> | null = null;
let failures = 0;

export function loadFormPage(): Promise<FormPageModule> {
  loading ??= importFormPage();
  return loading;
}

async function importFormPage(): Promise<FormPageModule> {
  try {
    // Only in the browser: the server must have no way to import a path from outside.
    loaded = import.meta.env.SSR || failures === 0 ? await import('./FormPage.tsx') : await importRetry();
    return loaded;
  } catch (error) {
    // The next caller fetches again.
    loading = null;
    failures++;
    throw error;
  }
}

/**
 * Firefox and WebKit never refetch a module URL that failed once, so each attempt has another URL. A query is enough here:
 * relative imports ignore it.
 */
function importRetry(): Promise<FormPageModule> {
  const name = document.getElementById(entryElementId)?.dataset.form;
  return import(/* @vite-ignore */ new URL(`${name}?again=${failures}`, import.meta.url).href);
}

/** A prefetch, whose failure does not matter: following the link fetches again. */
export function prepareFormPage(): void {
  loadFormPage().catch(() => {});
}

export function useFormPage(): FormPageModule['FormPage'] {
  if (loaded) return loaded.FormPage;
  loadingOrReload ??= loadFormPage().catch(() => {
    // The connection broke, or a new version was deployed. Nothing was typed on the home page, so a reload loses nothing:
    // it shows the form, or the browser's own message about the connection.
    location.reload();
    return new Promise(() => {});
  });
  return use(loadingOrReload).FormPage;
}
