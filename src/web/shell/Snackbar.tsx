import { createContext, useContext, useEffect, useRef, useState } from 'react';
import type { Phrase } from '../../model/phrase.ts';
import { useSite } from '../page-data-context.ts';
import styles from './Snackbar.module.css';
import { Words } from './Words.tsx';

const shownMs = 3_000;

export const SnackbarContext = createContext<(phrase: Phrase) => void>(() => {});

export const useSnackbar = () => useContext(SnackbarContext);

/** The region is always rendered, because a screen reader announces changes only in a region that it knows. */
export function Snackbar({ phrase, onClose }: { phrase: Phrase; onClose: () => void }) {
  return (
    <div role="status" className={styles.region}>
      {phrase && <Message phrase={phrase} onClose={onClose} />}
    </div>
  );
}

function Message({ phrase, onClose }: { phrase: Phrase; onClose: () => void }) {
  const site = useSite();
  // A visitor who points at the snackbar or focuses Close is still reading.
  const [held, setHeld] = useState(false);
  const before = useRef<EventTarget | null>(null);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(onClose, shownMs);
    return () => clearTimeout(timer);
  }, [held, onClose]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that someone is there
    <div
      className={styles.snackbar}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={(event) => {
        before.current = event.relatedTarget;
        setHeld(true);
      }}
      onBlur={() => setHeld(false)}
    >
      <p>
        <Words phrase={phrase} />
      </p>
      <button
        type="button"
        className={styles.close}
        onClick={() => {
          if (before.current instanceof HTMLElement) before.current.focus();
          onClose();
        }}
      >
        <Words phrase={site.form.close} />
      </button>
    </div>
  );
}
