import type { RefObject } from 'react';
import { useSite } from '../../page-data-context.ts';
import { Words } from '../../shell/Words.tsx';
import buttons from '../../styles/buttons.module.css';
import { missingId } from '../fields/Missing.tsx';
import styles from './SendButton.module.css';

interface SendButtonProps {
  ref: RefObject<HTMLButtonElement | null>;
  disabled: boolean;
  sending: boolean;
}

/** Not `disabled` while sending, so that a keyboard or screen reader does not lose the focus. */
export function SendButton({ ref, disabled, sending }: SendButtonProps) {
  const { form } = useSite();
  const label = sending ? form.sending : form.send;
  return (
    <div className={styles.send}>
      <button
        ref={ref}
        type="submit"
        className={buttons.primary}
        disabled={disabled}
        aria-describedby={disabled ? missingId : undefined}
        aria-disabled={sending || undefined}
        aria-busy={sending || undefined}
      >
        {sending && <span className={styles.spinner} />}
        {/* An element of its own, replaced with its text: see QuestionWords. */}
        <span key={label}>
          <Words phrase={label} />
        </span>
      </button>
      <span role="status" className="visually-hidden">
        {sending && (
          <span>
            <Words phrase={form.sending} />
          </span>
        )}
      </span>
    </div>
  );
}
