import type { ReactNode } from 'react';
import type { ReplyPromise } from '../../../model/closure.ts';
import type { NextStep } from '../../../model/next-step.ts';
import { fill } from '../../../model/phrase.ts';
import { useSite } from '../../page-data-context.ts';
import { TrustPhone } from '../../safety/TrustPhone.tsx';
import { Words } from '../../shell/Words.tsx';
import styles from './WhatNext.module.css';

interface WhatNextProps {
  step: NextStep;
  promise: ReplyPromise;
  reference: ReactNode;
}

/** What the trust will do with the request, and when. Promises nothing that the answers do not allow. */
export function WhatNext({ step, promise, reference }: WhatNextProps) {
  const { next } = useSite().form.receipt;
  const { kind, choices } = step;
  const { note, answerWithin } = promise;
  return (
    <>
      <h3 className={styles.heading}>
        <Words phrase={next.heading} />
      </h3>
      {note && (
        <p>
          <Words phrase={note} />
        </p>
      )}
      <p>
        <Words phrase={fill(next[kind], { choices, answerWithin })} /> {kind === 'unreachable' && reference}
      </p>
      {(kind === 'unreachable' || kind === 'none') && (
        <div className={styles.self}>
          <TrustPhone />
        </div>
      )}
    </>
  );
}
