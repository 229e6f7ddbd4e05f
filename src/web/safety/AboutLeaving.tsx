import { useSite } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import styles from './AboutLeaving.module.css';

/** What the exit does, and what it cannot do. Folded away, so that the form is not pushed further down. */
export function AboutLeaving() {
  const { heading, text } = useSite().leave.about;
  return (
    <details className={styles.about}>
      <summary>
        <Words phrase={heading} />
      </summary>
      <p>
        <Words phrase={text} />
      </p>
    </details>
  );
}
