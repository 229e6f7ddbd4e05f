import { useSite } from '../../page-data-context.ts';
import { Words } from '../../shell/Words.tsx';
import styles from './WithoutScript.module.css';

/** Where scripts do not run, nothing empties the fields when the visitor leaves. */
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
