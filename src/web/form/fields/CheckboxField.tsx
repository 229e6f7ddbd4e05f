import type { CheckboxField } from '../../../model/form-field.ts';
import { QuestionWords } from '../../shell/Words.tsx';
import styles from './Field.module.css';
import type { FieldProps } from './Field.tsx';
import { Optional, ProblemText } from './FieldText.tsx';

/** Any of several choices, kept in the order they are offered. */
export function ChoicesField({
  field,
  id,
  value,
  problem,
  focused,
  onAnswer,
  onLeave,
}: FieldProps<CheckboxField, string[]>) {
  const toggle = (choice: string, on: boolean) =>
    onAnswer(field.choices.filter((one) => (one === choice ? on : value.includes(one))));
  return (
    <fieldset
      className={styles.group}
      aria-describedby={`${id}-hint ${id}-problem`}
      onBlur={(event) => {
        // From one choice to the next is not leaving.
        if (!event.currentTarget.contains(event.relatedTarget)) onLeave();
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
              // biome-ignore lint/a11y/noAutofocus: the page answers a form, and this is where it goes on
              autoFocus={focused && index === 0}
              onChange={(event) => toggle(choice, event.target.checked)}
            />
            <QuestionWords text={choice} />
          </label>
        ))}
      </div>
      <ProblemText id={`${id}-problem`} problem={problem} />
    </fieldset>
  );
}
