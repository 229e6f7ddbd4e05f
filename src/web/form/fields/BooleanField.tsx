import type { BooleanField } from '../../../model/form-field.ts';
import { QuestionWords } from '../../shell/Words.tsx';
import styles from './Field.module.css';
import type { FieldProps } from './Field.tsx';

/** Yes or no: it never fails, because no is an answer. */
export function TickField({ field, id, value, onAnswer, onLeave }: FieldProps<BooleanField, boolean>) {
  return (
    <div className={styles.field}>
      <label className={styles.choice}>
        <input
          type="checkbox"
          id={id}
          name={field.key}
          checked={value}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onAnswer(event.target.checked)}
          onBlur={onLeave}
        />
        <QuestionWords text={field.displayName} />
      </label>
      <p id={`${id}-hint`} className={styles.hint}>
        <QuestionWords text={field.description} />
      </p>
    </div>
  );
}
