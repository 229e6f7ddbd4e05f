import { usePageData } from '../../page-data-context.ts';
import { findAlwaysOpen, Meanwhile } from '../../safety/Meanwhile.tsx';
import { QuestionWords } from '../../shell/Words.tsx';
import type { FormAction } from '../page/form-state.ts';
import type { FieldHint } from './answer-hints.ts';
import styles from './Hints.module.css';
import { focusField } from './Missing.tsx';

interface HintsProps {
  hints: readonly FieldHint[];
  /** Given at a question. Without an id, the hints are repeated above the button: as links to the question, and silent. */
  id?: string;
  /** An urgent choice was made at this question: show whom to call now. */
  urgent?: boolean;
  dispatch: (action: FormAction) => void;
}

/**
 * Below the question, so that nothing moves under the finger. The element is rendered before it has hints, because a screen
 * reader announces changes only in a region that it knows.
 */
export function Hints({ hints, id, urgent, dispatch }: HintsProps) {
  const { helplines } = usePageData();
  return (
    <div id={id} className={id ? styles.hints : styles.again} role={id && 'status'}>
      {urgent && <Meanwhile line={findAlwaysOpen(helplines)} />}
      {hints.map(({ key, text, to, fills }) =>
        to && (fills || !(id && to === key)) ? (
          <button
            key={text}
            type="button"
            onClick={({ currentTarget }) => {
              if (fills) dispatch({ type: 'answered', key: to, value: fills });
              focusField(currentTarget.form, to);
            }}
          >
            <QuestionWords text={text} />
          </button>
        ) : (
          <p key={text}>
            <QuestionWords text={text} />
          </p>
        ),
      )}
    </div>
  );
}
