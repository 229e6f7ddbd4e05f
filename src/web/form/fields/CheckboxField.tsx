import type { FieldOf } from '../../../model/field-types.ts';
import { labelOf } from '../../../model/form-field.ts';
import { QuestionWords } from '../../shell/Words.tsx';
import styles from './Field.module.css';
import { Optional, ProblemText } from './FieldText.tsx';
import type { FieldProps } from './field-props.ts';

/** The answer has the chosen choices in the order in which they are offered. */
export function CheckboxField({
  field,
  id,
  value,
  problem,
  focused,
  onAnswer,
  onBlur,
}: FieldProps<FieldOf<'checkbox'>, string[]>) {
  const toggle = (choice: string, on: boolean) =>
    onAnswer(field.choices.filter((one) => (one === choice ? on : value.includes(one))));
  return (
    <fieldset
      className={styles.group}
      aria-describedby={`${id}-hint ${id}-problem`}
      onBlur={(event) => {
        // The focus may move from one choice of the question to the next.
        if (!event.currentTarget.contains(event.relatedTarget)) onBlur();
      }}
    >
      <legend className={styles.legend}>
        <h2>
          <QuestionWords text={field.displayName} />
          <Optional required={field.required} />
        </h2>
      </legend>
      <p id={`${id}-hint`} className={styles.hint}>
        <QuestionWords text={field.description} />
      </p>
      <div className={styles.choices}>
        {field.choices.map((choice, index) => (
          <label key={choice} className={styles.choice}>
            <input
              type="checkbox"
              name={field.key}
              value={choice}
              checked={value.includes(choice)}
              // biome-ignore lint/a11y/noAutofocus: the page is the response to a form, and this question is its first problem
              autoFocus={focused && index === 0}
              onChange={(event) => toggle(choice, event.target.checked)}
            />
            <QuestionWords text={labelOf(field, choice)} />
          </label>
        ))}
      </div>
      <ProblemText id={`${id}-problem`} problem={problem} />
    </fieldset>
  );
}
