import { createElement, type MouseEvent, use } from 'react';
import { fitInRow, inLanguage, type PageLanguage } from '../../model/language.ts';
import { formId, noScriptFields } from '../../model/no-script-fields.ts';
import { asText } from '../../model/phrase.ts';
import { pageAt } from '../../model/routes.ts';
import { isNativePress } from '../navigation/native-press.ts';
import { ChoosingContext } from '../navigation/PageInLanguage.tsx';
import { isModified } from '../navigation/PageLink.tsx';
import { usePath } from '../navigation/path.ts';
import { usePageData } from '../page-data-context.ts';
import { GlobeIcon } from './icons.tsx';
import styles from './LanguageChoice.module.css';

/** Every language by its own name. Where they do not fit one row, as many as do, and all of them unfolded. */
export function LanguageChoice() {
  const { site, language, languages, posted } = usePageData();
  const page = pageAt(usePath());
  if (!languages) return null;
  const inForm = page !== null && page !== 'home' && posted?.status !== 'sent';
  const isCurrent = (one: PageLanguage) => one.tag === language.tag || undefined;
  const list = (
    <ul>
      {languages.map((one) => (
        <li key={one.tag}>
          <Choice one={one} inForm={inForm} isCurrent={isCurrent(one)} />
        </li>
      ))}
    </ul>
  );
  return (
    <nav
      aria-label={asText(site.shell.languageList)}
      className={styles.choice}
      data-page={page}
      translate="no"
    >
      {/* Enter in a field presses the first button of the form, which must be one that sends it. */}
      {inForm && (
        <span className="visually-hidden" aria-hidden="true">
          <button type="submit" form={formId} tabIndex={-1} />
        </span>
      )}
      <GlobeIcon />
      {fitInRow(languages) ? (
        list
      ) : (
        <details>
          <summary>
            {languages.map((one) => (
              <span key={one.tag} lang={one.tag} dir={one.dir ?? 'ltr'} aria-current={isCurrent(one)}>
                {one.name}{' '}
              </span>
            ))}
          </summary>
          {list}
        </details>
      )}
    </nav>
  );
}

interface ChoiceProps {
  one: PageLanguage;
  inForm: boolean;
  isCurrent: true | undefined;
}

/**
 * A link; on a form a button, which posts what was typed: without a script, the response is the form in the other language.
 * The pressed one stays in the page, and so keeps the focus.
 */
function Choice({ one, inForm, isCurrent }: ChoiceProps) {
  const { language, posted } = usePageData();
  const { dir } = language;
  const { choose, pending } = use(ChoosingContext);
  const address = inLanguage(one.prefix, usePath());
  return createElement(
    inForm ? 'button' : 'a',
    {
      lang: one.tag,
      dir: one.dir === dir ? undefined : (one.dir ?? 'ltr'),
      'aria-current': isCurrent,
      'aria-busy': pending === one.prefix || undefined,
      onClick(event: MouseEvent<HTMLElement>) {
        // A modified press opens a link elsewhere; of a button it would send the form.
        if (isNativePress() || (!inForm && isModified(event))) return;
        event.preventDefault();
        const { currentTarget: control } = event;
        const fold = control.closest('details');
        if (fold) {
          fold.open = false;
          fold.querySelector('summary')?.focus();
        }
        choose({ prefix: one.prefix, control });
      },
      ...(inForm
        ? {
            form: formId,
            formAction: address,
            formNoValidate: true,
            name: noScriptFields.switchTo,
            // Without a script, what was said of the form is said in the other language too.
            value: posted?.status,
          }
        : { href: address, hrefLang: one.tag }),
    },
    one.name,
  );
}
