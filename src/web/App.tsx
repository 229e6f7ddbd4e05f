import { useDeferredValue, useEffect, useRef, useState, ViewTransition } from 'react';
import type { FormName } from '../model/form-field.ts';
import type { PageData, Posted } from '../model/page-data.ts';
import { type PageName, pageAt, pathOf } from '../model/routes.ts';
import styles from './App.module.css';
import { useFormPage } from './form/page/load-form-page.ts';
import { HomePage } from './home/HomePage.tsx';
import { useForgotten } from './leave/use-forgotten.ts';
import { PageInLanguage } from './navigation/PageInLanguage.tsx';
import { FirstPathContext, goInstead, usePath } from './navigation/path.ts';
import { usePageData, useSite } from './page-data-context.ts';
import { Footer } from './shell/Footer.tsx';
import { LanguageChoice } from './shell/LanguageChoice.tsx';
import { RouteAnnouncer } from './shell/RouteAnnouncer.tsx';
import { type Notice, Snackbar, SnackbarContext } from './shell/Snackbar.tsx';
import { TopBar } from './shell/TopBar.tsx';
import { Words } from './shell/Words.tsx';
import './styles/base.css';
import './styles/page-fade.css';

export function App({ data, path }: { data: PageData; path: string }) {
  const [notice, setNotice] = useState<Notice>();
  return (
    <FirstPathContext value={path}>
      <SnackbarContext value={setNotice}>
        <PageInLanguage first={data}>
          <Shell first={data.posted} />
          <Snackbar notice={notice} show={setNotice} />
        </PageInLanguage>
      </SnackbarContext>
    </FirstPathContext>
  );
}

function Shell({ first }: { first: Posted | undefined }) {
  const { forms, language } = usePageData();
  const { prefix } = language;
  const path = usePath();
  // Deferred, because only a deferred rendering can be a view transition.
  const page = pageAt(useDeferredValue(path)) ?? 'home';
  // The home page is shown until the words of the forms are there (PageInLanguage.tsx).
  const shown = forms ? page : 'home';
  // The outcome of a posted form is shown until the visitor navigates.
  const [posted, setPosted] = useState(first);
  const firstPath = useRef(path);

  useEffect(() => {
    if (pageAt(path) === null) goInstead(pathOf('home', prefix));
    if (path !== firstPath.current) setPosted(undefined);
  }, [path, prefix]);

  return (
    <>
      <SkipLink />
      <TopBar />
      <LanguageChoice />
      <main id="main" className={styles.main} tabIndex={-1} data-page={shown}>
        <ViewTransition key={shown} default="none" enter="page-fade" exit="page-fade">
          <div>
            <ShownPage page={shown} posted={posted} />
          </div>
        </ViewTransition>
      </main>
      <Footer isForm={shown !== 'home'} />
      <RouteAnnouncer page={shown} />
    </>
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
