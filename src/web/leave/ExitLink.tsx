import { useSite } from '../page-data-context.ts';
import { CloseIcon } from '../shell/icons.tsx';
import { Words } from '../shell/Words.tsx';
import styles from './ExitLink.module.css';

/** A plain link, so that it works without a script; leave-early.ts makes more of it where there is one. */
export function ExitLink({ className = '' }: { className?: string | undefined }) {
  const { leave } = useSite();
  return (
    <a
      href={leave.address}
      rel="nofollow noreferrer"
      data-leave=""
      // Safari's Tab goes past links unless it is told not to.
      tabIndex={0}
      className={`${styles.exit} ${className}`}
    >
      <CloseIcon />
      <span>
        <Words phrase={leave.label} />
        <span className={styles.hint}>
          {' '}
          (<Words phrase={leave.hint} />)
        </span>
      </span>
    </a>
  );
}
