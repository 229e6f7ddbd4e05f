import {
  type SubmitEvent,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { type Answers, carryOver, readAnswers, toEntries } from '../../../model/answers.ts';
import { replyPromise } from '../../../model/closure.ts';
import type { Definition, FormName } from '../../../model/form-field.ts';
import { translationOf } from '../../../model/language.ts';
import { findNextStep } from '../../../model/next-step.ts';
import { formId } from '../../../model/no-script-fields.ts';
import type { Posted } from '../../../model/page-data.ts';
import { fill } from '../../../model/phrase.ts';
import { pathOf } from '../../../model/routes.ts';
import { validateAnswers } from '../../../model/validate.ts';
import { isNativePress } from '../../navigation/native-press.ts';
import { nextTask } from '../../next-task.ts';
import { usePageData } from '../../page-data-context.ts';
import { PrivacyNotice } from '../../safety/PrivacyNotice.tsx';
import { useSnackbar } from '../../shell/Snackbar.tsx';
import { Words } from '../../shell/Words.tsx';
import { useHydrated } from '../../use-hydrated.ts';
import { findHints } from '../fields/answer-hints.ts';
import { Hints } from '../fields/Hints.tsx';
import { Missing } from '../fields/Missing.tsx';
import { Questions } from '../fields/Questions.tsx';
import { postSubmission } from '../sending/calls.ts';
import { resumeOnline } from '../sending/resume-online.ts';
import { SendButton } from '../sending/SendButton.tsx';
import { type SendFailure, sendForm, sendingMs } from '../sending/send-form.ts';
import { submitNatively } from '../sending/submit-natively.ts';
import { useTokens } from '../sending/tokens.ts';
import { AnswerNote } from './AnswerNote.tsx';
import styles from './Form.module.css';
import { renewForm } from './form-definitions.ts';
import { openDraft } from './form-drafts.ts';
import { reduceForm } from './form-state.ts';
import { Receipt } from './Receipt.tsx';
import { useAfterPress } from './use-after-press.ts';
import { useCurrentState } from './use-current-state.ts';

interface FormProps {
  name: FormName;
  definition: Definition;
  posted: Posted | undefined;
  /** Called with true while the receipt is shown. */
  onSent: (sent: boolean) => void;
  /** Called with true when all retries have failed, false when the form is sent again. */
  onFailed: (failed: boolean) => void;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * The form element that the server rendered. Its values are read at hydration, also where React finds markup that another
 * program has changed (a password manager, for example) and replaces the element.
 */
let serverForm = import.meta.env.SSR ? null : (document.getElementById(formId) as HTMLFormElement | null);

export function Form({ name, definition, posted, onSent, onFailed }: FormProps) {
  const data = usePageData();
  const { language, site, meanings, closed } = data;
  const showSnackbar = useSnackbar();
  const tokens = useTokens();
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [draft] = useState(() => openDraft(name, definition, posted));
  const { dispatch } = draft;
  const [shown, show] = useState(draft.get);
  // Never render a new definition with answers to the old one.
  const state = reduceForm(shown, { type: 'redefined', definition });

  const afterPress = useAfterPress();
  const touch = useCallback(
    (key: string) => afterPress(() => startTransition(() => dispatch({ type: 'touched', key }))),
    [dispatch, afterPress],
  );
  const { now, read } = useCurrentState(draft, definition);
  /** A letter and Enter, or a tick and Send: the button is enabled before the browser asks whether it is. */
  const renderNow = () => {
    if (draft.get() !== shown) flushSync(() => show(draft.get()));
  };

  useLayoutEffect(() => draft.subscribe(show), [draft]);
  useLayoutEffect(() => onSent(state.status === 'submitted'));
  useLayoutEffect(() => {
    dispatch({ type: 'redefined', definition });
    const filled = serverForm ?? form.current;
    serverForm = null;
    if (filled) dispatch({ type: 'found', answers: readAnswers(new FormData(filled), definition) });
  }, [definition, dispatch]);

  // After 'Make Another Submission', once the form is rendered again.
  const restarted = useRef(false);
  useEffect(() => {
    if (!restarted.current) return;
    restarted.current = false;
    form.current?.querySelector<HTMLElement>('[tabindex], input')?.focus();
  });

  async function send(
    asked: Definition,
    answers: Answers,
    renewed = false,
    deadline = Date.now() + sendingMs,
  ): Promise<void> {
    dispatch({ type: 'sending' });
    onFailed(false);
    // In a task of its own: the button says first that it was pressed.
    await nextTask();
    try {
      const receipt = await sendForm(name, toEntries(asked, answers), {
        tokens,
        wait,
        deadline,
        wanted: () => draft.get().status === 'submitting',
        post: (entries, token, remainingMs) =>
          postSubmission(name, entries, token, translationOf(language), remainingMs),
      });
      dispatch({ type: 'sent', receipt, next: findNextStep(meanings[name], answers) });
      showSnackbar('sent');
    } catch (error) {
      const { code, token, deadline: end } = error as SendFailure;
      const remainingMs = () => end - Date.now();
      const mayHaveChanged = !renewed && code === 'BAD_ANSWERS';
      const current = mayHaveChanged ? await renewForm(name, language, remainingMs()) : null;
      const carried = current && carryOver(current, answers);
      if (current && carried && validateAnswers(current, carried, site.form) === null)
        return send(current, carried, true, end);
      console.error('Error submitting form', error);
      // A native submit navigates away. Where no response comes, this is a failure like any other.
      if (code === 'PERMANENT' && form.current && (await submitNatively(form.current, token, remainingMs())))
        await wait(remainingMs());
      dispatch({ type: 'failed' });
      // A changed form asks for answers first. Otherwise the visitor is shown another way to reach the trust.
      if (current) return;
      onFailed(true);
      void resumeOnline(draft, answers, () => void send(asked, answers));
    }
  }

  if (state.status === 'submitted') {
    return (
      <Receipt
        name={name}
        receipt={state.receipt}
        next={state.next}
        definition={definition}
        onAgain={() => {
          restarted.current = true;
          showSnackbar(null);
          dispatch({ type: 'restarted', definition });
        }}
      />
    );
  }

  const { answers, touched } = state;
  const sending = state.status === 'submitting';
  const problem = validateAnswers(definition, answers, site.form);
  const valid = problem === null;
  const { answerWithin } = replyPromise(data, '');
  const isRefused = findNextStep(meanings[name], answers).kind === 'none';
  const hints = findHints(meanings[name], answers, touched, site.form, definition);

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    // The button of a language, where the browser itself has to post it (PageInLanguage.tsx).
    if (isNativePress()) return;
    event.preventDefault();
    // The answers as they are now: the last one may not be rendered yet.
    const current = now();
    if (current.status !== 'editing' || validateAnswers(definition, current.answers, site.form)) return;
    // The fields are about to become inert, and a focused field would lose the focus to the body.
    button.current?.focus();
    void send(definition, current.answers);
  }

  return (
    <form
      id={formId}
      ref={form}
      className={styles.form}
      // For a native submit: before the script runs, or where it never does.
      method="post"
      action={pathOf(name, language.prefix)}
      noValidate={hydrated}
      // The browser stores no answer for a reload, a crash or another form. It may still fill empty fields
      // (known-keys.ts).
      autoComplete="off"
      onSubmit={submit}
      onFocus={tokens.prepare}
      onInput={tokens.prepare}
      onPointerDown={renderNow}
      onKeyDown={({ key }) => key === 'Enter' && renderNow()}
    >
      <div className={styles.fields} inert={sending}>
        <Questions
          name={name}
          definition={definition}
          answers={answers}
          read={read}
          touched={touched}
          hints={hints}
          // Only in server markup: after hydration React would move the focus whenever it renders anew.
          focused={!hydrated && posted?.status === 'invalid' ? posted.problem.key : undefined}
          dispatch={dispatch}
          onBlur={touch}
        />
      </div>
      <PrivacyNotice />
      {valid && <Hints hints={hints} dispatch={dispatch} />}
      <p className={styles.read}>
        {site.hours && !closed?.begun && <Words phrase={`${site.form.read} `} />}
        {!isRefused && <Words phrase={fill(site.form.answered, { answerWithin })} />}
      </p>
      <AnswerNote />
      <SendButton
        ref={button}
        disabled={hydrated && !valid}
        sending={sending}
        waiting={sending || state.unsent === answers}
      />
      {hydrated && problem && <Missing definition={definition} answers={answers} problem={problem} />}
    </form>
  );
}
