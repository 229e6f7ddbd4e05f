import type { FieldOf } from '../../../model/field-types.ts';
import { useSite } from '../../page-data-context.ts';
import { QuestionWords, Words } from '../../shell/Words.tsx';
import styles from './Field.module.css';
import type { FieldProps } from './field-props.ts';

/** Shows no problem: an unticked box is an answer. */
export function BooleanField({
  field,
  id,
  value,
  onAnswer,
  onBlur,
}: FieldProps<FieldOf<'boolean'>, boolean>) {
  const { privacy } = useSite();
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
          onBlur={onBlur}
        />
        <QuestionWords text={field.displayName} />
      </label>
      {/* What the tick shows is announced: a screen reader has read the hint before. */}
      <p id={`${id}-hint`} className={styles.hint} aria-live={field.means && 'polite'}>
        <QuestionWords text={field.description} />
        {field.means && (
          <span className={styles.others}>
            <Words phrase={` ${privacy.others}`} />
          </span>
        )}
      </p>
    </div>
  );
}
