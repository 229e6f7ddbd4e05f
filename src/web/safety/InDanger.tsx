import { usePageData } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import styles from './InDanger.module.css';
import { NumberLink } from './NumberLink.tsx';

/** First on the pages of the forms, in view on the smallest phone. */
export function InDanger() {
  const { message, phone, silent } = usePageData().helplines.danger;
  return (
    <div className={styles.strip}>
      <div>
        <p id="danger">
          <Words phrase={message} />
        </p>
        <NumberLink kind="call" number={phone} urgent />
        <p>
          <Words phrase={silent} />
        </p>
      </div>
    </div>
  );
}
