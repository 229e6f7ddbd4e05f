import { answerPromise } from '../../model/closure.ts';
import type { FormName } from '../../model/form-field.ts';
import type { NextStep } from '../../model/next-step.ts';
import { fill } from '../../model/phrase.ts';
import { usePageData } from '../page-data-context.ts';
import { NumberLink } from '../safety/NumberLink.tsx';
import { TrustPhone } from '../safety/TrustPhone.tsx';
import { Words } from '../shell/Words.tsx';
import styles from './WhatNext.module.css';

/** What will come of what was sent, when, and what there is until then. Nothing that is not so. */
export function WhatNext({ name, step, receivedAt }: { name: FormName; step: NextStep; receivedAt: string }) {
  const data = usePageData();
  const { site, helplines } = data;
  const { next } = site.form;
  const promise = answerPromise(data, receivedAt);
  const [line] = helplines.lines;
  return (
    <>
      <h3 className={styles.heading}>
        <Words phrase={next.heading} />
      </h3>
      {promise.note && (
        <p>
          <Words phrase={promise.note} />
        </p>
      )}
      <p>
        <Words phrase={fill(next[step.kind], { ...step, ...promise })} />
      </p>
      {(step.kind === 'none' || step.kind === 'unreachable') && (
        <div className={styles.self}>
          <TrustPhone />
        </div>
      )}
      {(promise.note || name === 'help') && line && (
        <>
          <p id="meanwhile">
            <Words phrase={fill(next.meanwhile, { helpline: line.name })} />
          </p>
          <div className={styles.numbers}>
            <NumberLink kind="call" number={helplines.danger.phone} whose="meanwhile" urgent />
            {line.phone && <NumberLink kind="call" number={line.phone} whose="meanwhile" />}
            {line.text && <NumberLink kind="text" number={line.text} whose="meanwhile" />}
          </div>
        </>
      )}
    </>
  );
}
