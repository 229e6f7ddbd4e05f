import type { RefObject } from 'react';
import { useSite } from '../page-data-context.ts';
import { TrustPhone } from '../safety/TrustPhone.tsx';
import styles from './AlternativeContact.module.css';
import { Words } from './Words.tsx';

/**
 * What to do if the form does not work. It takes the focus when a send has failed for good, so that whoever cannot
 * see it is led there too.
 */
export function AlternativeContact({
  ref,
  failed,
  first,
}: {
  ref: RefObject<HTMLElement | null>;
  failed: boolean;
  /** The page begins here. */
  first: boolean;
}) {
  const { alternativeContact, form } = useSite();
  return (
    <section
      id="contact"
      ref={ref}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: only on a page that answers a form
      autoFocus={first}
      aria-labelledby="alternative-contact"
      aria-describedby="alternative-contact-text"
      className={`${styles.block} ${failed ? styles.called : ''}`}
    >
      <h2 id="alternative-contact">
        <Words phrase={alternativeContact.heading} />
      </h2>
      <div id="alternative-contact-text">
        {failed && form.failureMessage && (
          <p className={styles.failure}>
            <Words phrase={form.failureMessage} />
          </p>
        )}
        <p>
          <Words phrase={alternativeContact.message} />
        </p>
        <TrustPhone />
      </div>
    </section>
  );
}
