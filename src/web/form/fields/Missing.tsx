import type { Answers } from '../../../model/answers.ts';
import type { Definition } from '../../../model/form-field.ts';
import { isBlank, type Problem } from '../../../model/validate.ts';
import { useSite } from '../../page-data-context.ts';
import { QuestionWords, Words } from '../../shell/Words.tsx';
import styles from './Missing.module.css';

interface MissingProps {
  definition: Definition;
  answers: Answers;
  problem: Problem;
}

export const missingId = 'missing';

/**
 * Why the button is disabled, with a link to each unanswered question, which may be far above. Not announced: it changes with
 * answers given elsewhere. It is the button's description, and it is read below the button.
 */
export function Missing({ definition, answers, problem }: MissingProps) {
  const { form } = useSite();
  const needed = definition.filter(({ key, required }) => required && isBlank(answers[key] ?? ''));
  const links =
    needed.length > 0
      ? needed.map(({ key, displayName }) => ({ key, text: displayName }))
      : [{ key: problem.key, text: problem.message }];
  return (
    <div id={missingId} className={styles.missing} data-hint="">
      {needed.length > 0 && (
        <p>
          <Words phrase={form.needed} />
        </p>
      )}
      <ul>
        {links.map(({ key, text }) => (
          <li key={text}>
            <button type="button" onClick={({ currentTarget }) => focusField(currentTarget.form, key)}>
              <QuestionWords text={text} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function focusField(form: HTMLFormElement | null, key = ''): void {
  const found = form?.elements.namedItem(key);
  const control = found instanceof RadioNodeList ? found[0] : found;
  if (!(control instanceof HTMLElement)) return;
  const fold = control.closest('details');
  if (fold) fold.open = true;
  control.focus();
}
