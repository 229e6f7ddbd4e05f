import {
  createContext,
  type ReactNode,
  startTransition,
  useEffect,
  useInsertionEffect,
  useState,
} from 'react';
import { inLanguage, prefixOf } from '../../model/language.ts';
import type { PageData } from '../../model/page-data.ts';
import { pageAt } from '../../model/routes.ts';
import { prepareFormPage } from '../form/page/load-form-page.ts';
import { PageDataContext } from '../page-data-context.ts';
import { useSnackbar } from '../shell/Snackbar.tsx';
import { exitData, fetchLanguage, type LanguagePage } from './fetch-language.ts';
import { currentPath, goInstead, isBeingLeft, useFullPath, withoutPrefix } from './path.ts';

interface Choice {
  prefix: string;
  /** The pressed link or button. */
  control: HTMLElement;
}

interface Choosing {
  choose: (choice: Choice) => void;
  /** The prefix of a language that is being fetched. */
  pending: string | undefined;
}

export const ChoosingContext = createContext<Choosing>({ choose() {}, pending: undefined });

/** The languages that were shown in this document. */
const loaded = new Map<string, LanguagePage>();

/** True while a control is pressed by this script: the browser itself then follows the link or posts the form. */
let isNative = false;
export const isNativePress = () => isNative;

/**
 * Renders the page in the language of its address. A chosen language is fetched first, so that nothing is lost where it
 * cannot be; then the page is rendered again in place, with every answer in it (docs/decisions/0128). So are the words of the
 * forms, which the data of a home page does not have.
 */
export function PageInLanguage({ first, children }: { first: PageData; children: ReactNode }) {
  const [{ data, exitWords }, show] = useState<LanguagePage>({ data: first, exitWords: '' });
  const [choice, choose] = useState<Choice | null>(null);
  const showSnackbar = useSnackbar();
  const { language } = data;
  const path = useFullPath();
  const [languages] = useState([first.language, ...(first.languages ?? [])]);
  const wanted = choice?.prefix ?? prefixOf(path, languages);
  const page = pageAt(withoutPrefix(path, languages));
  const isForm = page !== null && page !== 'home';
  // The data of a home page has no form.
  const lacksForms = isForm && !data.forms;

  // Before any other effect: a page that was laid out in one language is not laid out again for the other's fonts.
  useInsertionEffect(() => {
    const inPage = exitData();
    if (!exitWords) loaded.set(language.prefix, { data, exitWords: inPage.words ?? '' });
    else {
      inPage.words = exitWords;
      Object.assign(document.documentElement, { lang: language.tag, dir: language.dir ?? 'ltr' });
    }
  }, [data, language, exitWords]);

  useEffect(() => {
    const pathIn = (prefix: string) => inLanguage(prefix, withoutPrefix(currentPath(), languages));
    if (lacksForms) prepareFormPage();
    else if (wanted === language.prefix) {
      if (choice) goInstead(pathIn(wanted));
      return choose(null);
    }
    let isLatest = true;
    // A browser that translates the page has replaced its texts, and must learn of the new language: it loads the page. A
    // page that is only shown to a person who checks it says so outside of React's root.
    const mustLoad = choice && (data.preview || document.querySelector('font'));
    async function load(): Promise<void> {
      try {
        const known = !mustLoad && loaded.get(wanted);
        const page =
          known && (!isForm || known.data.forms) ? known : await fetchLanguage(pathIn(wanted), wanted);
        // The exit must not be stopped by another navigation.
        if (!isLatest || isBeingLeft()) return;
        if (page && !mustLoad) {
          loaded.set(wanted, page);
          // Rendered in slices, so that a slow phone can still scroll and type.
          return startTransition(() => show(page));
        } else if (choice) {
          // On a receipt there is no form to post.
          if ((choice.control as HTMLButtonElement).form === null) throw page;
          isNative = true;
          choice.control.click();
          isNative = false;
        } else location.reload();
      } catch {
        if (!isLatest) return;
        // Nothing was typed on the home page: the browser shows the form, or its own message about the connection.
        if (lacksForms) return location.reload();
        showSnackbar('languageFailed');
        goInstead(pathIn(language.prefix));
      }
      choose(null);
    }
    void load();
    return () => {
      isLatest = false;
    };
  }, [wanted, choice, data, language, languages, isForm, lacksForms, showSnackbar]);

  return (
    <ChoosingContext value={{ choose, pending: choice?.prefix }}>
      <PageDataContext value={data}>{children}</PageDataContext>
    </ChoosingContext>
  );
}
