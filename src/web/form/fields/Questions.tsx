import { Fragment, useState } from 'react';
import type { Answers } from '../../../model/answers.ts';
import { understand, wayOfKey } from '../../../model/choice-meanings.ts';
import type { AnswerValue } from '../../../model/field-types.ts';
import { type Definition, type FormField, type FormName, labelIn } from '../../../model/form-field.ts';
import { isBlank, validateField } from '../../../model/validate.ts';
import { usePageData } from '../../page-data-context.ts';
import { Fold } from '../../safety/Fold.tsx';
import type { FormAction } from '../page/form-state.ts';
import type { FieldHint } from './answer-hints.ts';
import { Field } from './Field.tsx';
import { Hints } from './Hints.tsx';
import styles from './Questions.module.css';
import { SectionHeading } from './SectionHeading.tsx';

interface QuestionsProps {
  name: FormName;
  definition: Definition;
  answers: Answers;
  /** An answer as it is now: `answers` may be older. */
  read: (key: string) => AnswerValue | undefined;
  touched: readonly string[];
  hints: readonly FieldHint[];
  /** The question that a posted form was sent back for. */
  focused: string | undefined;
  dispatch: (action: FormAction) => void;
  onBlur: (key: string) => void;
}

/** The questions of a form in their order, those of the fold last. */
export function Questions(props: QuestionsProps) {
  const { name, definition, answers, read, touched, hints, focused, dispatch, onBlur } = props;
  const { site, meanings } = usePageData();
  const { ways } = understand(meanings[name], answers);
  const folded = definition.filter(({ shown }) => shown === 'more');
  const answered = folded.some(({ key }) => answers[key] && !isBlank(answers[key]));
  // Never closed from here: somebody may be in it, and about to write something else.
  const [open, setOpen] = useState(answered);
  if (answered && !open) setOpen(true);

  /** The question is not far away: it appears with the choice that asks for it. */
  const asksBelow = ({ to }: FieldHint) =>
    definition.some(({ key, shown }) => key === to && shown === 'asked');
  const ask = (field: FormField) => {
    const { key } = field;
    const hinted = field.type === 'checkbox' || wayOfKey.has(key);
    const own = hints.filter((hint) => hint.key === key);
    const chosen = ways.flatMap(({ asks, choice }) => (asks === key ? labelIn(definition, choice) : []));
    return (
      <Fragment key={key}>
        <SectionHeading field={field} />
        <Field
          form={name}
          field={field}
          id={`${name}-${key}`}
          value={answers[key]}
          read={read}
          chosen={chosen.join(site.form.listSeparator)}
          problem={touched.includes(key) ? validateField(field, answers[key], site.form) : null}
          hinted={hinted}
          last={field === definition[definition.length - 1]}
          focused={key === focused}
          dispatch={dispatch}
          onBlur={onBlur}
        />
        {hinted && (
          <Hints
            id={`${name}-${key}-tip`}
            hints={own}
            spoken={own.length > 0 && own.every(asksBelow)}
            dispatch={dispatch}
          />
        )}
      </Fragment>
    );
  };

  return (
    <>
      {definition.filter(({ shown }) => shown !== 'more').map(ask)}
      {folded.length > 0 && (
        <Fold summary={site.form.more} open={open}>
          <div className={styles.folded}>{folded.map(ask)}</div>
        </Fold>
      )}
    </>
  );
}
