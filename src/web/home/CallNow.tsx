import { usePageData } from '../page-data-context.ts';
import { NumberLink } from '../safety/NumberLink.tsx';
import { Words } from '../shell/Words.tsx';
import styles from './CallNow.module.css';

/** The emergency number, and in a wide window how to call without speaking. */
export function CallNow() {
  const { message, phone, silent } = usePageData().helplines.danger;
  return (
    <div className={styles.call}>
      <p>
        <Words phrase={message} />
      </p>
      <NumberLink kind="call" number={phone} urgent />
      <p className={styles.silent}>
        <Words phrase={silent} />
      </p>
    </div>
  );
}
