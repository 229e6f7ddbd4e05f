import type { Problem } from '../../../model/validate.ts';
import { useSite } from '../../page-data-context.ts';
import { QuestionWords, Words } from '../../shell/Words.tsx';
import styles from './Field.module.css';

export function Optional({ required }: { required: boolean }) {
  const { form } = useSite();
  if (required) return null;
  return (
    <span className={styles.optional}>
      {' '}
      (<Words phrase={form.optional} />)
    </span>
  );
}

export function ProblemText({ id, problem }: { id: string; problem: Problem | null }) {
  return (
    <p id={id} className={styles.problem} role={problem ? 'alert' : undefined}>
      {problem && <QuestionWords text={problem.message} />}
    </p>
  );
}
