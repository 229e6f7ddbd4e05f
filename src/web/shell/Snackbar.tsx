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
  const [isPaused, setPaused] = useState(false);
  const previousFocus = useRef<EventTarget | null>(null);
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(onClose, shownMs);
    return () => clearTimeout(timer);
  }, [isPaused, onClose]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only pause the timer
    <div
      className={styles.snackbar}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={(event) => {
        previousFocus.current = event.relatedTarget;
        setPaused(true);
      }}
      onBlur={() => setPaused(false)}
    >
      <p>
        <Words phrase={phrase} />
      </p>
      <button
        type="button"
        className={styles.close}
        onClick={() => {
          if (previousFocus.current instanceof HTMLElement) previousFocus.current.focus();
          onClose();
        }}
      >
        <Words phrase={site.form.close} />
      </button>
    </div>
  );
}
