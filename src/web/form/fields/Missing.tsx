import type { Problem } from '../../../model/validate.ts';
import { useSite } from '../../page-data-context.ts';
import { QuestionWords, Words } from '../../shell/Words.tsx';
import styles from './Missing.module.css';

interface MissingProps {
  problem: Problem;
  /** Someone has left a field already: before that, nothing is said to be wrong. */
  begun: boolean;
}

/** Why the button cannot be pressed yet. The question that is open may be far above, so this is a way there. */
export function Missing({ problem, begun }: MissingProps) {
  const { form } = useSite();
  return (
    <div className={styles.missing} data-hint="">
      <p>
        <Words phrase={form.incomplete} />
      </p>
      {begun && (
        <button type="button" onClick={({ currentTarget }) => focusField(currentTarget.form, problem.key)}>
          <QuestionWords text={problem.message} />
        </button>
      )}
    </div>
  );
}

export function focusField(form: HTMLFormElement | null, key = ''): void {
  const found = form?.elements.namedItem(key);
  const control = found instanceof RadioNodeList ? found[0] : found;
  if (control instanceof HTMLElement) control.focus();
}
