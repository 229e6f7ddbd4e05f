import { startTransition } from 'react';
import { type PageData, pageDataId, rootId } from '../model/page-data.ts';
import { asText } from '../model/phrase.ts';
import { pageAt, pathOf } from '../model/routes.ts';
import { App } from './App.tsx';
import { retryUntilLoaded } from './early/retry-import.ts';
import { loadFormPage } from './form/page/load-form-page.ts';
import { goInstead } from './navigation/path.ts';
import { nextTask } from './next-task.ts';
import { restoreFocus, runWithoutReact, trackFocus } from './without-react.ts';

async function start(): Promise<void> {
  // In the same bundle, but its initialisation is most of the work, and so a task of its own.
  const { hydrateRoot } = await import('react-dom/client');
  await nextTask();
  const data: PageData = JSON.parse(document.getElementById(pageDataId)?.textContent ?? '');
  const root = document.getElementById(rootId) as HTMLElement;
  // A navigation scrolls to the top; only a reload restores the scroll position.
  history.scrollRestoration = 'manual';
  addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto';
  });
  // The last part of the path, after the prefix of a language.
  const pageHere = () => pageAt(location.pathname.replace(/.*(?=\/)/, '')) ?? 'home';
  // A form that was posted in a language that is no longer offered is answered in the original.
  const path = pathOf(pageHere(), data.language.prefix);
  if (path !== location.pathname) goInstead(path);
  if (pageHere() !== 'home') await retryUntilLoaded(loadFormPage);
  await nextTask();
  const app = <App data={data} path={path} />;
  // The nodes stay the same, unless React renders the whole page anew.
  let nodes = [...root.childNodes];
  const options = {
    onRecoverableError(error: unknown) {
      // A view transition that a slow or hidden window skipped is no error.
      if (error instanceof DOMException) return;
      console.error(error);
      // The markup was not as React expected (changed by a translator or a password manager): React has replaced the page.
      nodes = [...root.childNodes];
      // After the form has restored its answers.
      queueMicrotask(restoreFocus);
    },
    onUncaughtError(error: unknown) {
      console.error(error);
      // React has unmounted the page. Its nodes are restored with every answer: as a copy, because React is about to reset
      // the field that was typed into. `splice` empties the list, so that a second error restores nothing twice.
      root.append(...nodes.splice(0).map((node) => node.cloneNode(true)));
      runWithoutReact(asText(data.site.form.send));
      restoreFocus();
      const loadIfOtherPage = () => {
        if (document.getElementById('main')?.dataset.page !== pageHere()) location.reload();
      };
      loadIfOtherPage();
      addEventListener('popstate', loadIfOtherPage);
    },
  };
  // As a transition React hydrates in slices, and a slow phone can scroll and type between them.
  startTransition(() => {
    hydrateRoot(root, app, options);
  });
}

trackFocus();
void start();
