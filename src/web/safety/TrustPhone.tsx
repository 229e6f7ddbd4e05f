import { useSite } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import { NumberLink } from './NumberLink.tsx';
import styles from './TrustPhone.module.css';

/** The trust's own number and when somebody answers it. Nothing where it has none. */
export function TrustPhone() {
  const { phone, hours } = useSite();
  if (!phone) return null;
  return (
    <div className={styles.phone}>
      <NumberLink kind="call" number={phone} />
      {hours && (
        <span>
          <Words phrase={hours} />
        </span>
      )}
    </div>
  );
}
