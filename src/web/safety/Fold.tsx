import type { ReactNode } from 'react';
import type { Phrase } from '../../model/phrase.ts';
import { Words } from '../shell/Words.tsx';
import styles from './Fold.module.css';

/** A `<details>`: works without a script, and its content is printed. */
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
