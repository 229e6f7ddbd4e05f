import type { RefObject } from 'react';
import { useSite } from '../../page-data-context.ts';
import { Words } from '../../shell/Words.tsx';
import buttons from '../../styles/buttons.module.css';
import styles from './SendButton.module.css';
import { useOffline } from './use-offline.ts';

interface SendButtonProps {
  ref: RefObject<HTMLButtonElement | null>;
  disabled: boolean;
  sending: boolean;
  /** It is sent by itself once the network is back. */
  waiting: boolean;
}

/** Not `disabled` while sending, so that a keyboard or screen reader does not lose the focus. */
export function SendButton({ ref, disabled, sending, waiting }: SendButtonProps) {
  const { form } = useSite();
  const offline = useOffline() && waiting;
  const label = sending ? form.sending : form.send;
  return (
    <div>
      <p role="status" className={offline ? styles.offline : 'visually-hidden'}>
        {(offline || sending) && (
          <span key={String(offline)}>
            <Words phrase={offline ? form.offline : form.sending} />
          </span>
        )}
      </p>
      <button
        ref={ref}
        type="submit"
        className={buttons.primary}
        disabled={disabled}
        aria-disabled={sending || undefined}
        aria-busy={sending || undefined}
      >
        {sending && <span className={styles.spinner} />}
        {/* An element of its own, replaced with its text: see QuestionWords. */}
        <span key={label}>
          <Words phrase={label} />
        </span>
      </button>
    </div>
  );
}
