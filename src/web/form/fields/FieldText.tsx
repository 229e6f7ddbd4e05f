import type { FormField } from '../../../model/form-field.ts';
import { fill } from '../../../model/phrase.ts';
import type { Problem } from '../../../model/validate.ts';
import { useSite } from '../../page-data-context.ts';
import { QuestionWords, Words } from '../../shell/Words.tsx';
import styles from './Field.module.css';
import problems from './Problem.module.css';

interface MarkProps {
  field: FormField;
  chosen?: string;
}

/** Behind a question, in its name: whether it may be left empty, or what was chosen that asks for it. */
export function Mark({ field: { required, type }, chosen }: MarkProps) {
  const { form } = useSite();
  if (required && type !== 'checkbox') return null;
  const phrase = required ? form.atLeastOne : chosen ? fill(form.chosen, { choices: chosen }) : form.optional;
  return (
    // Replaced with its words: see QuestionWords.
    <span key={phrase} className={styles.optional}>
      {' '}
      (<Words phrase={phrase} />)
    </span>
  );
}

export function ProblemText({ id, problem }: { id: string; problem: Problem | null }) {
  return (
    <p id={id} className={problems.problem} role={problem ? 'alert' : undefined}>
      {problem && <QuestionWords text={problem.message} />}
    </p>
  );
}
