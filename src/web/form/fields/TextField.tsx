import type { ChangeEvent } from 'react';
import type { FormField } from '../../../model/form-field.ts';
import { QuestionWords } from '../../shell/Words.tsx';
import { useHydrated } from '../../use-hydrated.ts';
import styles from './Field.module.css';
import { Mark, ProblemText } from './FieldText.tsx';
import { type FieldProps, joinIds } from './field-props.ts';
import { inputHints } from './known-keys.ts';

/** A textarea's label is its description (spec §2). */
export function TextField({
  field,
  id,
  value,
  chosen,
  problem,
  hinted,
  focused,
  last,
  onAnswer,
  onBlur,
}: FieldProps<FormField, string>) {
  const long = field.type === 'textarea';
  const mayFill = useHydrated() && value === '';
  const hint = long ? '' : field.description;
  const shared = {
    id,
    name: field.key,
    value,
    // Arabic, Farsi, Urdu and Hebrew are written from right to left.
    dir: 'auto',
    className: styles.input,
    autoFocus: focused,
    required: field.required,
    'aria-invalid': problem !== null,
    'aria-describedby': joinIds(hint && `${id}-hint`, problem && `${id}-problem`, hinted && `${id}-tip`),
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onAnswer(event.target.value),
    onBlur: onBlur,
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        <QuestionWords text={long ? field.description : field.displayName} />
        <Mark field={field} chosen={chosen} />
      </label>
      {/* Also without words: src/server/pages/asked-questions-css.ts finds the question by it. */}
      {!long && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint && <QuestionWords text={hint} />}
        </p>
      )}
      {long ? (
        <textarea {...shared} rows={4} autoComplete="off" />
      ) : (
        <input
          {...shared}
          {...inputHints(field.key, mayFill)}
          type="text"
          enterKeyHint={last ? 'send' : 'next'}
        />
      )}
      <ProblemText id={`${id}-problem`} problem={problem} />
    </div>
  );
}
