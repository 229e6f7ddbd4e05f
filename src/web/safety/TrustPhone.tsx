import { useSite } from '../page-data-context.ts';
import { Words } from '../shell/Words.tsx';
import { NumberLink } from './NumberLink.tsx';
import styles from './TrustPhone.module.css';

/** The trust's number and its hours. Nothing where the trust has no number. */
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
