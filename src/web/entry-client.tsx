import { startTransition } from 'react';
import { type PageData, pageDataId, rootId } from '../model/page-data.ts';
import { asText } from '../model/phrase.ts';
import { pageAt } from '../model/routes.ts';
import { App } from './App.tsx';
import { retryUntilLoaded } from './early/retry-import.ts';
import { restoreFocus, runWithoutReact, trackFocus } from './early/without-react.ts';
import { startForms } from './form/page/form-definitions.ts';
import { loadFormPage } from './form/page/load-form-page.ts';

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
  const pageHere = () => pageAt(location.pathname) ?? 'home';
  if (pageHere() !== 'home') await retryUntilLoaded(loadFormPage);
  await nextTask();
  const app = <App data={data} path={location.pathname} />;
  // React changes what is inside these, and puts others in their place only where it makes the whole page anew.
  let page = [...root.childNodes];
  const options = {
    onRecoverableError(error: unknown) {
      // A fade that a slow or hidden window could not show is no error: the page itself is there.
      if (error instanceof DOMException) return;
      console.error(error);
      // The page was not as React expected it (a translator or a password manager was there first), and is made anew.
      page = [...root.childNodes];
      // Once the form has its answers again.
      queueMicrotask(restoreFocus);
    },
    onUncaughtError(error: unknown) {
      console.error(error);
      // React has taken the whole page away. Here it is again, every answer in its place: as a copy, because React is
      // about to put the field that was typed into back to what it was before. Once, however many errors there were.
      root.append(...page.splice(0).map((node) => node.cloneNode(true)));
      runWithoutReact(asText(data.site.form.send));
      restoreFocus();
      const visitAnother = () => {
        if (document.getElementById('main')?.dataset.page !== pageHere()) location.reload();
      };
      visitAnother();
      addEventListener('popstate', visitAnother);
    },
  };
  // As a transition, React takes the page over in slices, and a slow phone can scroll and type between them.
  startTransition(() => {
    if (root.hasChildNodes()) hydrateRoot(root, app, options);
    else createRoot(root, options).render(app);
  });
}

trackFocus();
void start();
