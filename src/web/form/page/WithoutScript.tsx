import { useSite } from '../../page-data-context.ts';
import { Words } from '../../shell/Words.tsx';
import styles from './WithoutScript.module.css';

/** Only where scripts do not run: nothing empties the fields behind the visitor then. */
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
