import { use } from 'react';
import { entryElementId } from '../../../model/page-data.ts';

/**
 * The form's code is a part of its own, so that the home page stays light. It is asked for when a visitor is about to
 * follow a link to it.
 */
type FormPageModule = typeof import('./FormPage.tsx');

let loaded: FormPageModule | null = null;
let loading: Promise<FormPageModule> | null = null;
let arriving: Promise<FormPageModule> | null = null;
let lost = 0;

export function loadFormPage(): Promise<FormPageModule> {
  loading ??= importFormPage();
  return loading;
}

async function importFormPage(): Promise<FormPageModule> {
  try {
    // A server loses nothing, and must not have a way to import what it is told to.
    loaded = import.meta.env.SSR || lost === 0 ? await import('./FormPage.tsx') : await importAgain();
    return loaded;
  } catch (error) {
    // The next one to ask has it fetched again.
    loading = null;
    lost++;
    throw error;
  }
}

/**
 * Firefox and WebKit never again ask for a module that they once failed to get, so each try has another address. A query
 * is enough here: what it imports is still found where this file came from.
 */
function importAgain(): Promise<FormPageModule> {
  const name = document.getElementById(entryElementId)?.dataset.form;
  return import(/* @vite-ignore */ new URL(`${name}?again=${lost}`, import.meta.url).href);
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
