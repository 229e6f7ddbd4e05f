import { useSite } from '../page-data-context.ts';
import styles from './WithoutScript.module.css';
import { Words } from './Words.tsx';

/** Only where scripts do not run, so a form cannot be sent. */
export function WithoutScript() {
  const { form } = useSite();
  return (
    <noscript>
      <p className={styles.notice}>
        <Words phrase={form.noScript} />
      </p>
    </noscript>
  );
}
