import { createContext, use, useEffect, useRef, useState } from 'react';
import receipt from '../form/page/Receipt.module.css';
import { useSite } from '../page-data-context.ts';
import styles from './Snackbar.module.css';
import { Words } from './Words.tsx';

/** By name, because its words change with the language of the page. Null for none. */
export type Notice = 'sent' | 'languageFailed' | null | undefined;

const sentMs = 3_000;
/** Long enough for a visitor who reads the page's language slowly. */
const failedMs = 10_000;

interface SnackbarProps {
  notice: Notice;
  /** Called with null to close it. */
  show: (notice: Notice) => void;
  /** In the page, above the receipt. Its place stays there when it closes: nothing moves under a finger. */
  kept?: boolean;
}

export const SnackbarContext = createContext<(notice: Notice) => void>(() => {});

export const useSnackbar = () => use(SnackbarContext);

/** The region is always rendered, because a screen reader announces changes only in a region that it knows. */
export function Snackbar({ notice, show, kept }: SnackbarProps) {
  return (
    <div role="status" className={kept === undefined ? styles.region : kept ? receipt.kept : ''}>
      {notice && <Message key={notice} isFailure={notice !== 'sent'} show={show} />}
    </div>
  );
}

function Message({ isFailure, show }: { isFailure: boolean; show: SnackbarProps['show'] }) {
  const site = useSite();
  // A visitor who points at the snackbar or focuses Close is still reading.
  const [isPaused, setPaused] = useState(false);
  const previousFocus = useRef<EventTarget | null>(null);
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(show, isFailure ? failedMs : sentMs, null);
    return () => clearTimeout(timer);
  }, [isPaused, isFailure, show]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only pause the timer
    <div
      className={`${styles.snackbar} ${isFailure ? styles.failure : ''}`}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={(event) => {
        previousFocus.current = event.relatedTarget;
        setPaused(true);
      }}
      onBlur={() => setPaused(false)}
    >
      <p>
        <Words phrase={isFailure ? site.shell.languageFailed : site.form.snackbar} />
      </p>
      <button
        type="button"
        className={styles.close}
        onClick={() => {
          if (previousFocus.current instanceof HTMLElement) previousFocus.current.focus();
          show(null);
        }}
      >
        <Words phrase={site.form.close} />
      </button>
    </div>
  );
}
