import { QuestionWords } from '../shell/Words.tsx';
import styles from './Hints.module.css';
import type { FieldHint } from './hints.ts';
import { focusField } from './Missing.tsx';

/** Below choices, and never above: nothing moves under the finger. Spoken, and so its place is there before it is. */
export function Hints({ hints }: { hints: readonly FieldHint[] }) {
  return (
    <div className={styles.hints} role="status">
      {hints.map(({ text, to }) =>
        to ? (
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
