import type { Problem } from '../../../model/validate.ts';
import { useSite } from '../../page-data-context.ts';
import { QuestionWords, Words } from '../../shell/Words.tsx';
import styles from './Missing.module.css';

interface MissingProps {
  problem: Problem;
  /** A field has lost the focus. Before that, no problem is shown. */
  begun: boolean;
}

/** Why the button is disabled, with a link to the unanswered question, which may be far above. */
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
