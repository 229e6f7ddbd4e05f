import { use } from 'react';

/**
 * The form's code is a part of its own, so that the home page stays light. It is asked for when a visitor is about to
 * follow a link to it.
 */
type FormPageModule = typeof import('./FormPage.tsx');

let loaded: FormPageModule | null = null;
let loading: Promise<FormPageModule> | null = null;

export function loadFormPage(): Promise<FormPageModule> {
  loading ??= import('./FormPage.tsx').then(
    (module) => {
      loaded = module;
      return module;
    },
    () => {
      // The connection broke, or the site has changed since this page was fetched: a full visit gets the new one.
      location.reload();
      return new Promise(() => {});
    },
  );
  return loading;
}

export function useFormPage(): FormPageModule['FormPage'] {
  return (loaded ?? use(loadFormPage())).FormPage;
}
