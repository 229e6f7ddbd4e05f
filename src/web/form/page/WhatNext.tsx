import type { ReactNode } from 'react';
import type { ReplyPromise } from '../../../model/closure.ts';
import { type Definition, labelIn } from '../../../model/form-field.ts';
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
  /** Has the words of the chosen ways in the language of the page. */
  definition: Definition;
}

/** What the trust will do with the request, and when. Promises nothing that the answers do not allow. */
export function WhatNext({ step, promise, reference, definition }: WhatNextProps) {
  const { receipt, listSeparator } = useSite().form;
  const { next } = receipt;
  const { kind } = step;
  const choices = step.choices.map((choice) => labelIn(definition, choice)).join(listSeparator);
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
