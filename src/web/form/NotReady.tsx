import { useSite } from '../page-data-context.ts';
import notices from '../shell/WithoutScript.module.css';
import { Words } from '../shell/Words.tsx';
import styles from './NotReady.module.css';

/** Seen only while a part of the script is missing (keep-trying.ts): a form that looks ready and is not would be a trap. */
export function NotReady() {
  const { form } = useSite();
  return (
    <p role="alert" className={`${notices.notice} ${styles.notice}`}>
      <Words phrase={form.notReady} />
    </p>
  );
}
