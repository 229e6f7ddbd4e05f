import { type MouseEvent, use, useEffect, useRef } from 'react';
import { inLanguage, type PageLanguage } from '../../model/language.ts';
import { formId, noScriptFields } from '../../model/no-script-fields.ts';
import { asText } from '../../model/phrase.ts';
import { pageAt } from '../../model/routes.ts';
import { ChoosingContext, isNativePress } from '../navigation/PageInLanguage.tsx';
import { isModified } from '../navigation/PageLink.tsx';
import { usePath } from '../navigation/path.ts';
import { usePageData } from '../page-data-context.ts';
import { GlobeIcon } from './icons.tsx';
import styles from './LanguageChoice.module.css';

/** Letters in all names together. More would not fit one row of a phone of 320 px. */
const lettersInRow = 30;

/** Every language by its own name. Where they do not fit one row, as many as do, and all of them unfolded. */
export function LanguageChoice() {
  const { site, language, languages = [], preview, posted } = usePageData();
  const path = usePath();
  const page = pageAt(path);
  const fold = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!fold.current?.open || !language) return;
    fold.current.open = false;
    fold.current.querySelector('summary')?.focus();
  }, [language]);

  // On a form, a button that posts what was typed: without a script, the response has it in the other language.
  const inForm = page !== null && page !== 'home' && posted?.status !== 'sent';
  const Choice = inForm ? ChoiceButton : ChoiceLink;
  const list = (
    <ul>
      {languages.map((one) => (
        <li key={one.tag}>
          <Choice one={one} address={inLanguage(one.prefix, path)} isCurrent={one.tag === language.tag} />
        </li>
      ))}
    </ul>
  );
  const letters = languages.map(({ name }) => name).join('').length;
  return (
    <>
      {preview && (
        <p lang="en" dir="ltr" className={styles.preview}>
          Only you see this page: the translation has not been checked yet.
        </p>
      )}
      {languages.length > 0 && (
        <nav aria-label={asText(site.shell.languageList)} className={styles.choice} data-page={page}>
          {inForm && <DefaultButton />}
          <GlobeIcon />
          {letters > lettersInRow ? (
            <details ref={fold}>
              <summary>
                {languages.map(({ tag, dir, name }) => (
                  <span
                    key={tag}
                    lang={tag}
                    dir={dir ?? 'ltr'}
                    className={tag === language.tag ? styles.current : ''}
                  >
                    {name}
                  </span>
                ))}
              </summary>
              {list}
            </details>
          ) : (
            list
          )}
        </nav>
      )}
    </>
  );
}

interface ChoiceProps {
  one: PageLanguage;
  address: string;
  isCurrent: boolean;
}

/** What a link and a button have in common. The one that is pressed stays, and so keeps the focus. */
function useChoice({ one, isCurrent }: ChoiceProps) {
  const { choose, pending } = use(ChoosingContext);
  return {
    lang: one.tag,
    dir: one.dir ?? 'ltr',
    'aria-current': isCurrent || undefined,
    'aria-busy': pending === one.prefix || undefined,
    children: one.name,
    onClick(event: MouseEvent<HTMLElement>) {
      if (isNativePress() || isModified(event)) return;
      event.preventDefault();
      choose({ prefix: one.prefix, control: event.currentTarget });
    },
  };
}

function ChoiceLink(props: ChoiceProps) {
  return <a {...useChoice(props)} href={props.address} hrefLang={props.one.tag} />;
}

function ChoiceButton(props: ChoiceProps) {
  return (
    <button
      {...useChoice(props)}
      type="submit"
      form={formId}
      formAction={props.address}
      formNoValidate
      name={noScriptFields.switchTo}
    />
  );
}

/** Enter in a field presses the first button of the form, which must be one that sends it. */
function DefaultButton() {
  return (
    <span className="visually-hidden" aria-hidden="true">
      <button type="submit" form={formId} tabIndex={-1} />
    </span>
  );
}
