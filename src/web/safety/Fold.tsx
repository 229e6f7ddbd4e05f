import type { ReactNode } from 'react';
import type { Phrase } from '../../model/phrase.ts';
import { Words } from '../shell/Words.tsx';
import styles from './Fold.module.css';

/** What is there for whoever asks for it, without a script too: read out once it is open, and printed. */
export function Fold({ summary, children }: { summary: Phrase; children: ReactNode }) {
  return (
    <details className={styles.fold}>
      <summary>
        <Words phrase={summary} />
      </summary>
      {children}
    </details>
  );
}
