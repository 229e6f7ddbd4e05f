import { QuestionWords } from '../../shell/Words.tsx';
import type { FieldHint } from './answer-hints.ts';
import styles from './Hints.module.css';
import { focusField } from './Missing.tsx';

interface HintsProps {
  hints: readonly FieldHint[];
  /** Given at a question. Without an id, the hints are repeated above the button: as links to the question, and silent. */
  id?: string;
  /** What the hints ask for appears just below: they are spoken alone. */
  spoken?: boolean;
}

/**
 * Below the question, so that nothing moves under the finger. The element is rendered before it has hints, because a screen
 * reader announces changes only in a region that it knows.
 */
export function Hints({ hints, id, spoken }: HintsProps) {
  return (
    <div
      id={id}
      className={spoken ? 'visually-hidden' : id ? styles.hints : styles.again}
      role={id && 'status'}
    >
      {hints.map(({ key, text, to }) =>
        to && !spoken && !(id && to === key) ? (
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
