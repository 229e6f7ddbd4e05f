import { useCallback, useEffect, useRef, useState } from 'react';
import type { FormName } from '../../../model/form-field.ts';
import { forms } from '../../../model/forms.ts';
import type { Posted } from '../../../model/page-data.ts';
import { useSite } from '../../page-data-context.ts';
import { HelpNow } from '../../safety/HelpNow.tsx';
import { InDanger } from '../../safety/InDanger.tsx';
import { UseHelp } from '../../safety/UseHelp.tsx';
import { AlternativeContact } from '../../shell/AlternativeContact.tsx';
import { PageFrame } from '../../shell/PageFrame.tsx';
import { type Notice, Snackbar, SnackbarContext, useSnackbar } from '../../shell/Snackbar.tsx';
import { Words } from '../../shell/Words.tsx';
import { Form } from './Form.tsx';
import styles from './FormPage.module.css';
import { useDefinition } from './form-definitions.ts';

export function FormPage({ name, posted }: { name: FormName; posted: Posted | undefined }) {
  const { form } = useSite();
  const definition = useDefinition(name);
  const [failed, setFailed] = useState(false);
  const [sent, setSent] = useState(posted?.status === 'sent');
  const [notice, setNotice] = useState<Notice>();
  // A form that waited for the network may be sent after the visitor went to another page.
  const showElsewhere = useSnackbar();
  const current = useRef<(next: Notice) => void>(setNotice);
  useEffect(
    () => () => {
      current.current = showElsewhere;
    },
    [showElsewhere],
  );
  const show = useCallback((next: Notice) => current.current(next), []);

  // Without a script nothing can move the focus there, so the section comes first.
  const atTop = posted?.status === 'failed';
  const alternativeContact = <AlternativeContact name={name} failed={failed} sent={sent} atTop={atTop} />;
  // Where scripts do not run, nothing empties the fields when the visitor goes.
  const noScript = (
    <noscript>
      <p className={styles.notice}>
        <Words phrase={form.noScript} />
      </p>
    </noscript>
  );

  return (
    <PageFrame
      page={name}
      lead={<InDanger />}
      now={forms[name].mayBeInDanger && <HelpNow />}
      aside={!atTop && alternativeContact}
    >
      {!forms[name].mayBeInDanger && <UseHelp />}
      {atTop && <div className={styles.first}>{alternativeContact}</div>}
      {/* The target of the link past the helplines, both for the form and for its receipt. */}
      <div id="ask">
        {!sent && noScript}
        <SnackbarContext value={show}>
          <Snackbar notice={notice} show={setNotice} kept={sent && notice !== undefined} />
          <Form name={name} definition={definition} posted={posted} onFailed={setFailed} onSent={setSent} />
        </SnackbarContext>
        {sent && noScript}
      </div>
    </PageFrame>
  );
}
