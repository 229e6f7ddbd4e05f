import type { ReactNode } from 'react';
import type { NextStep } from '../../model/next-step.ts';
import { fill, type Phrase } from '../../model/phrase.ts';
import type { PageSite } from '../../model/site.ts';
import { useSite } from '../page-data-context.ts';
import { TrustPhone } from '../safety/TrustPhone.tsx';
import { Words } from '../shell/Words.tsx';
import styles from './WhatNext.module.css';

const findPromise = ({ kind, choices }: NextStep, { form }: PageSite): Phrase =>
  fill(form.next[kind], { choices });

/** What will come of what was sent, and when. Nothing that is not so. */
export function WhatNext({ step, reference }: { step: NextStep; reference: ReactNode }) {
  const site = useSite();
  const unreachable = step.kind === 'unreachable';
  return (
    <>
      <h3 className={styles.heading}>
        <Words phrase={site.form.next.heading} />
      </h3>
      <p>
        <Words phrase={findPromise(step, site)} /> {unreachable && reference}
      </p>
      {(unreachable || step.kind === 'none') && (
        <div className={styles.self}>
          <TrustPhone />
        </div>
      )}
    </>
  );
}
