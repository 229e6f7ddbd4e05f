import { useSite } from '../page-data-context.ts';
import { CloseIcon } from '../shell/icons.tsx';
import { Words } from '../shell/Words.tsx';
import styles from './ExitLink.module.css';

/** A link, so that the exit works without a script; leave-early.ts handles its clicks. */
export function ExitLink({ className = '' }: { className?: string | undefined }) {
  const { leave } = useSite();
  return (
    <a
      href={leave.address}
      rel="nofollow noreferrer"
      data-leave=""
      // Safari's Tab skips links that have no tabindex.
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
