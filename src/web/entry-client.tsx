import { startTransition } from 'react';
import { type PageData, pageDataId, rootId } from '../model/page-data.ts';
import { pageAt } from '../model/routes.ts';
import { App } from './App.tsx';
import { startForms } from './form/form-definitions.ts';
import { loadFormPage } from './form/load-form-page.ts';
import { keepTrying } from './keep-trying.ts';

/** What a slow phone was waiting to do (a scroll, a letter typed) comes in between two tasks, and not into one. */
const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));

async function start(): Promise<void> {
  // It comes in this same file, but setting it up is most of the work there is, and so a task of its own.
  const { createRoot, hydrateRoot } = await import('react-dom/client');
  await nextTask();
  const data: PageData = JSON.parse(document.getElementById(pageDataId)?.textContent ?? '');
  const root = document.getElementById(rootId) as HTMLElement;
  startForms(data.forms);
  // Every navigation goes to the top; only a reload comes back to where the visitor was.
  history.scrollRestoration = 'manual';
  addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto';
  });
  if ((pageAt(location.pathname) ?? 'home') !== 'home') await keepTrying(loadFormPage);
  await nextTask();
  const app = <App data={data} />;
  // As a transition, React takes the page over in slices, and a slow phone can scroll and type between them.
  startTransition(() => {
    if (root.hasChildNodes()) hydrateRoot(root, app, { onRecoverableError });
    else createRoot(root, { onRecoverableError }).render(app);
  });
}

/** A fade that a slow or hidden window could not show is no error: the page itself is there. */
function onRecoverableError(error: unknown): void {
  if (error instanceof DOMException) return;
  console.error(error);
}

void start();
