import { useCallback, useDeferredValue, useEffect, useRef, useState, ViewTransition } from 'react';
import type { FormName } from '../model/form-field.ts';
import type { PageData, Posted } from '../model/page-data.ts';
import { type PageName, pageAt } from '../model/routes.ts';
import styles from './App.module.css';
import { useFormPage } from './form/page/load-form-page.ts';
import { HomePage } from './home/HomePage.tsx';
import { useForgotten } from './leave/use-forgotten.ts';
import { FirstPathContext, goHomeInstead, usePath } from './navigation/path.ts';
import { PageDataContext, usePageData, useSite } from './page-data-context.ts';
import { Footer } from './shell/Footer.tsx';
import { RouteAnnouncer } from './shell/RouteAnnouncer.tsx';
import { Snackbar, SnackbarContext } from './shell/Snackbar.tsx';
import { TopBar } from './shell/TopBar.tsx';
import { Words } from './shell/Words.tsx';
import './styles/base.css';

export function App({ data, path }: { data: PageData; path: string }) {
  return (
    <PageDataContext value={data}>
      <FirstPathContext value={path}>
        <Shell />
      </FirstPathContext>
    </PageDataContext>
  );
}

function Shell() {
  const path = usePath();
  // Deferred, because only a deferred rendering can be a view transition.
  const shown = pageAt(useDeferredValue(path)) ?? 'home';
  // The outcome of a posted form is shown until the visitor navigates.
  const [posted, setPosted] = useState(usePageData().posted);
  const firstPath = useRef(path);
  const [snackbar, setSnackbar] = useState('');
  const closeSnackbar = useCallback(() => setSnackbar(''), []);

  useEffect(() => {
    if (pageAt(path) === null) goHomeInstead();
    if (path !== firstPath.current) setPosted(undefined);
  }, [path]);

  return (
    <SnackbarContext value={setSnackbar}>
      <SkipLink />
      <TopBar />
      <main id="main" className={styles.main} tabIndex={-1} data-page={shown}>
        <ViewTransition key={shown} default="none" enter="page-fade" exit="page-fade">
          <div>
            <ShownPage page={shown} posted={posted} />
          </div>
        </ViewTransition>
      </main>
      <Footer />
      <RouteAnnouncer page={shown} />
      <Snackbar phrase={snackbar} onClose={closeSnackbar} />
    </SnackbarContext>
  );
}

function ShownPage({ page, posted }: { page: PageName; posted: Posted | undefined }) {
  const forgotten = useForgotten();
  if (page === 'home') return <HomePage />;
  return <ShownForm key={`${page} ${forgotten}`} name={page} posted={forgotten === 0 ? posted : undefined} />;
}

function ShownForm(props: { name: FormName; posted: Posted | undefined }) {
  const FormPage = useFormPage();
  return <FormPage {...props} />;
}

export function SkipLink() {
  const site = useSite();
  return (
    <a className={styles.skip} href="#main">
      <Words phrase={site.shell.skip} />
    </a>
  );
}
