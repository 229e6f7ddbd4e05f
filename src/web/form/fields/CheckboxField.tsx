import { Fragment } from 'react';
import { understand } from '../../../model/choice-meanings.ts';
import type { FieldOf } from '../../../model/field-types.ts';
import { labelOf } from '../../../model/form-field.ts';
import { usePageData } from '../../page-data-context.ts';
import { findAlwaysOpen, Meanwhile } from '../../safety/Meanwhile.tsx';
import { QuestionWords } from '../../shell/Words.tsx';
import styles from './Field.module.css';
import { Mark, ProblemText } from './FieldText.tsx';
import { type FieldProps, joinIds } from './field-props.ts';
import now from './Now.module.css';

/** The answer has the chosen choices in the order in which they are offered. */
export function CheckboxField({
  form,
  field,
  id,
  value,
  problem,
  focused,
  onAnswer,
  onBlur,
}: FieldProps<FieldOf<'checkbox'>, string[]>) {
  const { helplines, meanings } = usePageData();
  const { urgent } = understand(meanings[form], { [field.key]: field.choices });
  const firstUrgent = urgent.find((choice) => value.includes(choice));
  const labels = field.choices.map((choice) => labelOf(field, choice));
  const toggle = (choice: string, on: boolean) =>
    onAnswer(field.choices.filter((one) => (one === choice ? on : value.includes(one))));
  return (
    <fieldset
      className={styles.group}
      aria-describedby={joinIds(field.description && `${id}-hint`, problem && `${id}-problem`)}
      onBlur={(event) => {
        // The focus may move from one choice of the question to the next.
        if (!event.currentTarget.contains(event.relatedTarget)) onBlur();
      }}
    >
      <legend className={styles.legend}>
        <h2>
          <QuestionWords text={field.displayName} />
          <Mark field={field} />
        </h2>
      </legend>
      {/* Also without words: src/server/pages/asked-questions-css.ts finds the question by it. */}
      <p id={`${id}-hint`} className={styles.hint}>
        {field.description && <QuestionWords text={field.description} />}
      </p>
      <div className={labels.every(({ length }) => length <= 30) ? styles.short : styles.choices}>
        {field.choices.map((choice, index) => (
          <Fragment key={choice}>
            <label className={styles.choice}>
              <input
                type="checkbox"
                name={field.key}
                value={choice}
                checked={value.includes(choice)}
                // biome-ignore lint/a11y/noAutofocus: the page is the response to a form, and this question is its first problem
                autoFocus={focused && index === 0}
                onChange={(event) => toggle(choice, event.target.checked)}
              />
              <QuestionWords text={labels[index] ?? choice} />
            </label>
            {/* Rendered before it is filled, because a screen reader announces changes only in a region that it knows. */}
            {urgent.includes(choice) && (
              <div role="status" className={now.now}>
                {choice === firstUrgent && <Meanwhile line={findAlwaysOpen(helplines)} />}
              </div>
            )}
          </Fragment>
        ))}
      </div>
      <ProblemText id={`${id}-problem`} problem={problem} />
    </fieldset>
  );
}
