import { usePageData } from '../page-data-context.ts';
import { findAlways, Meanwhile } from '../safety/Meanwhile.tsx';
import { QuestionWords } from '../shell/Words.tsx';
import styles from './Hints.module.css';
import type { FieldHint } from './hints.ts';
import { focusField } from './Missing.tsx';

interface HintsProps {
  id: string;
  /** A choice that is urgent was made here: whom to call now. */
  urgent: boolean;
  hints: readonly FieldHint[];
}

/** Below the question, and never above: nothing moves under the finger. Spoken, and so its place is there before it is. */
export function Hints({ id, urgent, hints }: HintsProps) {
  const { helplines } = usePageData();
  return (
    <div id={id} className={styles.hints} role="status">
      {urgent && <Meanwhile line={findAlways(helplines)} />}
      {hints.map(({ key, text, to }) =>
        to && to !== key ? (
          <HintLink key={text} text={text} to={to} />
        ) : (
          <p key={text}>
            <QuestionWords text={text} />
          </p>
        ),
      )}
    </div>
  );
}

/** The same at the button, once more: the question may be far above. Not spoken again. */
export function HintsAgain({ hints }: Pick<HintsProps, 'hints'>) {
  const firsts = hints.filter(({ to }, index) => to && hints.findIndex((hint) => hint.to === to) === index);
  return (
    <div className={styles.again}>
      {firsts.map(({ text, to }) => (
        <HintLink key={text} text={text} to={to} />
      ))}
    </div>
  );
}

function HintLink({ text, to }: { text: string; to: string | undefined }) {
  return (
    <button type="button" onClick={({ currentTarget }) => focusField(currentTarget.form, to)}>
      <QuestionWords text={text} />
    </button>
  );
}
