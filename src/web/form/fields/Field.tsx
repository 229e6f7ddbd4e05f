import { type ComponentType, memo } from 'react';
import type { AnswerOf, AnswerValue, FieldOf } from '../../../model/field-types.ts';
import type { FieldType } from '../../../model/form-field.ts';
import type { FormAction } from '../page/form-state.ts';
import { BooleanField } from './BooleanField.tsx';
import { CheckboxField } from './CheckboxField.tsx';
import type { FieldProps } from './field-props.ts';
import { TextField } from './TextField.tsx';

const components: { readonly [T in FieldType]: ComponentType<FieldProps<FieldOf<T>, AnswerOf<T>>> } = {
  text: TextField,
  textarea: TextField,
  boolean: BooleanField,
  checkbox: CheckboxField,
};

type AnyFieldProps = Omit<FieldProps, 'value' | 'onAnswer' | 'onBlur'> & {
  value: AnswerValue | undefined;
  dispatch: (action: FormAction) => void;
  onBlur: (key: string) => void;
};

/** Memoised, because on a slow phone a letter typed into one field must not render all the others. */
export const Field = memo(function Field({ dispatch, onBlur, ...rest }: AnyFieldProps) {
  const { key, type } = rest.field;
  const props = {
    ...rest,
    onAnswer: (value: AnswerValue) => dispatch({ type: 'answered', key, value }),
    onBlur: () => onBlur(key),
  };
  // The value is always of the field's own type, because both come from the same entry of field-types.ts.
  const Component = components[type] as ComponentType<typeof props>;
  return <Component {...props} />;
});
