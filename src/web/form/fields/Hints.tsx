import { usePageData } from '../../page-data-context.ts';
import { findAlways, Meanwhile } from '../../safety/Meanwhile.tsx';
import { QuestionWords } from '../../shell/Words.tsx';
import type { FieldHint } from './answer-hints.ts';
import styles from './Hints.module.css';
import { focusField } from './Missing.tsx';

interface HintsProps {
  hints: readonly FieldHint[];
  /** Of those at a question. Without one they stand at the button, far from it: each leads there, and none is spoken again. */
  id?: string;
  /** A choice that is urgent was made here: whom to call now. */
  urgent?: boolean;
}

/** Below the question, and never above: nothing moves under the finger. Spoken, and so its place is there before it is. */
export function Hints({ hints, id, urgent }: HintsProps) {
  const { helplines } = usePageData();
  return (
    <div id={id} className={id ? styles.hints : styles.again} role={id && 'status'}>
      {urgent && <Meanwhile line={findAlways(helplines)} />}
      {hints.map(({ key, text, to }) =>
        to && !(id && to === key) ? (
          <button
            key={text}
            type="button"
            onClick={({ currentTarget }) => focusField(currentTarget.form, to)}
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
