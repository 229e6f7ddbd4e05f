import { useCallback, useDeferredValue, useEffect, useState, ViewTransition } from 'react';
import { type AroundNavHandler, Router, useLocation } from 'wouter';
import type { PageData } from '../model/page-data.ts';
import { type PageName, pageAt, routes } from '../model/routes.ts';
import styles from './App.module.css';
import { useFormPage } from './form/load-form-page.ts';
import { HomePage } from './home/HomePage.tsx';
import { useForgotten } from './leave/use-forgotten.ts';
import { PageDataContext, useSite } from './page-data-context.ts';
import { Footer } from './shell/Footer.tsx';
import { RouteAnnouncer } from './shell/RouteAnnouncer.tsx';
import { Snackbar, SnackbarContext } from './shell/Snackbar.tsx';
import { TopBar } from './shell/TopBar.tsx';
import { Words } from './shell/Words.tsx';
import './styles/base.css';

/** Choosing the page one is on goes to its top, and adds nothing to the history. */
const goTo: AroundNavHandler = (navigate, to, options) => {
  if (to === location.pathname) scrollTo(0, 0);
  else navigate(to, options);
};

export function App({ data, path }: { data: PageData; path?: string }) {
  return (
    <PageDataContext value={data}>
      <Router {...(path === undefined ? {} : { ssrPath: path })} aroundNav={goTo}>
        <Shell />
      </Router>
    </PageDataContext>
  );
}

function Shell() {
  const [location, navigate] = useLocation();
  // wouter tells of a new address at once; only a deferred rendering can be a view transition.
  const shown = pageAt(useDeferredValue(location)) ?? 'home';
  const [snackbar, setSnackbar] = useState('');
  const closeSnackbar = useCallback(() => setSnackbar(''), []);

  useEffect(() => {
    if (pageAt(location) === null) navigate(routes.home.path, { replace: true });
  }, [location, navigate]);

  return (
    <SnackbarContext value={setSnackbar}>
      <SkipLink />
      <TopBar />
      <main id="main" className={styles.main} tabIndex={-1} data-page={shown}>
        <ViewTransition key={shown} default="none" enter="page-fade" exit="page-fade">
          <div>
            <ShownPage page={shown} />
          </div>
        </ViewTransition>
      </main>
      <Footer />
      <RouteAnnouncer page={shown} />
      <Snackbar phrase={snackbar} onClose={closeSnackbar} />
    </SnackbarContext>
  );
}

function ShownPage({ page }: { page: PageName }) {
  const forgotten = useForgotten();
  return page === 'home' ? <HomePage /> : <ShownForm key={`${page} ${forgotten}`} name={page} />;
}

function ShownForm({ name }: { name: Exclude<PageName, 'home'> }) {
  const FormPage = useFormPage();
  return <FormPage name={name} />;
}

function SkipLink() {
  const site = useSite();
  return (
    <a className={styles.skip} href="#main">
      <Words phrase={site.shell.skip} />
    </a>
  );
}
