import { fill } from '../../model/phrase.ts';
import { usePageData } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import styles from './PrivacyNotice.module.css';

/** What the Privacy Act 2020 (principle 3) wants said before anything is sent. */
export function PrivacyNotice() {
  const { site, retentionDays } = usePageData();
  const { heading, ...sentences } = site.privacy;
  return (
    <section aria-labelledby="privacy" className={styles.notice}>
      <h2 id="privacy">
        <Words phrase={heading} />
      </h2>
      <ul>
        {Object.entries(sentences).map(([about, phrase]) => (
          <li key={about}>
            <Words phrase={fill(phrase, { retentionDays: String(retentionDays) })} />
          </li>
        ))}
      </ul>
    </section>
  );
}
