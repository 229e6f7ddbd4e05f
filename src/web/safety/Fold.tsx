import type { ReactNode } from 'react';
import type { Phrase } from '../../model/phrase.ts';
import { Words } from '../shell/Words.tsx';
import styles from './Fold.module.css';

interface FoldProps {
  summary: Phrase;
  open?: boolean;
  children: ReactNode;
}

/** A `<details>`: works without a script, and its content is printed. */
export function Fold({ summary, open, children }: FoldProps) {
  return (
    <details className={styles.fold} open={open}>
      <summary>
        <Words phrase={summary} />
      </summary>
      {children}
    </details>
  );
}
