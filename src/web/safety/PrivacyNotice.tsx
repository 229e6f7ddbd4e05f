import { memo } from 'react';
import { useSite } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import { Fold } from './Fold.tsx';
import styles from './PrivacyNotice.module.css';

/** What principle 3 of the Privacy Act 2020 requires before anything is collected: in two lines, and folded in full. */
export const PrivacyNotice = memo(function PrivacyNotice() {
  const { heading, short, more, ...sentences } = useSite().privacy;
  return (
    <section aria-labelledby="privacy" className={styles.notice}>
      <h2 id="privacy">
        <Words phrase={heading} />
      </h2>
      <p>
        <Words phrase={short} />
      </p>
      <Fold summary={more}>
        <ul>
          {Object.entries(sentences).map(([about, phrase]) => (
            <li key={about}>
              <Words phrase={phrase} />
            </li>
          ))}
        </ul>
      </Fold>
    </section>
  );
});
