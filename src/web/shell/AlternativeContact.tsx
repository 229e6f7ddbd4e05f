import { useEffect, useRef } from 'react';
import type { FormName } from '../../model/form-field.ts';
import { useSite } from '../page-data-context.ts';
import { TrustPhone } from '../safety/TrustPhone.tsx';
import styles from './AlternativeContact.module.css';
import { Words } from './Words.tsx';

interface AlternativeContactProps {
  name: FormName;
  failed: boolean;
  /** The form was sent. */
  sent: boolean;
  /** The page is the response to a posted form that failed, and begins with this section. */
  atTop: boolean;
}

/**
 * How to tell that the form was not sent, and what to do then. The section takes the focus when sending has failed, for
 * visitors who cannot see it. A screen reader then reads the description; a live region would repeat it
 * (docs/decisions/0112).
 */
export function AlternativeContact({ name, failed, sent, atTop }: AlternativeContactProps) {
  const { alternativeContact, form } = useSite();
  const section = useRef<HTMLElement>(null);
  // In an effect: the failure message is part of the description, and must be rendered first.
  useEffect(() => {
    if (failed) section.current?.focus();
  }, [failed]);

  const isMarked = failed || (atTop && !sent);
  return (
    <section
      id="contact"
      ref={section}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: only on the response to a form
      autoFocus={atTop}
      aria-labelledby="alternative-contact"
      aria-describedby="not-sent how-to-tell"
      className={`${styles.block} ${isMarked ? styles.marked : ''}`}
    >
      <h2 id="alternative-contact">
        <Words phrase={alternativeContact.heading} />
      </h2>
      {isMarked && form.failureMessage && (
        <p id="not-sent" className={styles.failure}>
          <Words phrase={form.failureMessage} />
        </p>
      )}
      {!sent && (
        <p id="how-to-tell">
          <Words phrase={alternativeContact.message[name]} />
        </p>
      )}
      <TrustPhone />
      {sent && (
        <p>
          <Words phrase={alternativeContact.sent} />
        </p>
      )}
      <p>
        <Words phrase={alternativeContact.mailNote} />
      </p>
    </section>
  );
}
