import { type SubmitEvent, useEffect, useRef } from 'react';
import { replyPromise } from '../../../model/closure.ts';
import type { Definition, FormName } from '../../../model/form-field.ts';
import { forms } from '../../../model/forms.ts';
import type { NextStep } from '../../../model/next-step.ts';
import type { Receipt as ReceiptData } from '../../../model/operations.ts';
import { pathOf } from '../../../model/routes.ts';
import { goTo } from '../../navigation/path.ts';
import { usePageData } from '../../page-data-context.ts';
import helpNow from '../../safety/HelpNow.module.css';
import { Line } from '../../safety/HelpNow.tsx';
import { findAlwaysOpen, Meanwhile } from '../../safety/Meanwhile.tsx';
import { Words } from '../../shell/Words.tsx';
import buttons from '../../styles/buttons.module.css';
import { AnswerNote } from './AnswerNote.tsx';
import drawing from './home-light.svg?no-inline';
import styles from './Receipt.module.css';
import { WhatNext } from './WhatNext.tsx';

interface ReceiptProps {
  name: FormName;
  receipt: ReceiptData;
  next: NextStep;
  definition: Definition;
  onAgain: () => void;
}

const runInstead = (run: () => void) => (event: SubmitEvent) => {
  event.preventDefault();
  run();
};

export function Receipt({ name, receipt, next, definition, onAgain }: ReceiptProps) {
  const data = usePageData();
  const { site, helplines, language } = data;
  const home = pathOf('home', language.prefix);
  const { form } = site;
  const { kind, urgent } = next;
  const line = findAlwaysOpen(helplines);
  const [first] = helplines.lines;
  const promise = replyPromise(data, receipt.receivedAt);
  const reference = (
    <strong dir="ltr" className={styles.reference}>
      {receipt.reference}
    </strong>
  );
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // In server markup the browser has focused the heading already, and the visitor may have moved on since.
    if (heading.current?.autofocus) return;
    heading.current?.focus({ preventScroll: true });
    // To the top, with the snackbar above it.
    heading.current?.parentElement?.scrollIntoView();
  }, []);

  return (
    <section className={styles.receipt}>
      <img className={styles.drawing} src={drawing} alt="" width="96" height="96" />
      {/* biome-ignore lint/a11y/noAutofocus: without a script, this scrolls the response to a form to the receipt */}
      <h2 ref={heading} tabIndex={-1} autoFocus>
        <Words phrase={form.receipt[name].heading} />
      </h2>
      {urgent && <Meanwhile line={line} />}
      {urgent && first && first !== line && (
        <ul className={helpNow.lines}>
          <Line line={first} id="first-line" />
        </ul>
      )}
      <p>
        <Words phrase={form.receipt[name].message} />
      </p>
      {kind !== 'unreachable' && (
        <p>
          <Words phrase={form.referenceLabel} /> {reference}
        </p>
      )}
      <WhatNext step={next} promise={promise} reference={reference} definition={definition} />
      {forms[name].mayBeInDanger && (
        <p>
          <Words phrase={form.receipt.change} />
        </p>
      )}
      <AnswerNote />
      {(forms[name].mayBeInDanger || promise.note) && !urgent && <Meanwhile line={line} />}
      <div className={styles.buttons}>
        {/* Forms, because a button alone does nothing without a script. */}
        <form action={home} onSubmit={runInstead(() => goTo(home))}>
          <button type="submit" className={buttons.primary}>
            <Words phrase={form.goHome} />
          </button>
        </form>
        <form action={pathOf(name, language.prefix)} onSubmit={runInstead(onAgain)}>
          <button type="submit" className={buttons.secondary}>
            <Words phrase={form.again} />
          </button>
        </form>
      </div>
    </section>
  );
}
