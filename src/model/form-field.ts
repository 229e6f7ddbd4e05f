import { forms } from './forms.ts';

export type FormName = keyof typeof forms;
export const formNames = Object.keys(forms) as [FormName, ...FormName[]];

interface Question {
  key: string;
  displayName: string;
  description: string;
  required: boolean;
  /** `asked`: once a way of contact that asks for the answer is chosen. `more`: in the fold. Always, where it is absent. */
  shown?: 'asked' | 'more' | undefined;
}

// `means` and `meanings` are for staff, `shown` is for pages: GraphQL leaves them out of the definitions it serves.

interface TextField extends Question {
  type: 'text';
  /** When contacting the person is safe: staff read the answer beside the phone number. */
  means?: 'safeTimes' | undefined;
}
interface TextareaField extends Question {
  type: 'textarea';
}
interface BooleanField extends Question {
  type: 'boolean';
  /** The visitor asks for another person: the mail says so at the top. */
  means?: 'forSomeoneElse' | undefined;
}
interface CheckboxField extends Question {
  type: 'checkbox';
  /** In the words of the original in every language: they are what is posted, stored and counted. */
  choices: string[];
  /** The same choices in the words of the page. Absent where those are the words of the original. */
  choiceLabels?: string[];
  /** One entry for each choice that has a meaning. */
  meanings?: ChoiceMeaning[] | undefined;
}

/** What a choice means beyond its words, as the trust wrote beside the choice. */
export interface ChoiceMeaning {
  choice: string;
  /** One of `knownMeanings` (choice-meanings.ts). With any other value, staff read the choice's words alone. */
  means?: string | undefined;
  /** The key of the question whose answer this way of contact needs. */
  asks?: string | undefined;
}

/** What each question type does is in field-types.ts and server-field-types.ts, one entry for each type. */
export type FormField = TextField | TextareaField | BooleanField | CheckboxField;
export type FieldType = FormField['type'];

/** A choice in the words of the page. */
export function labelOf(field: FormField | undefined, choice: string): string {
  if (field?.type !== 'checkbox') return choice;
  return field.choiceLabels?.[field.choices.indexOf(choice)] ?? choice;
}

/** The same for a choice of any question. */
export const labelIn = (definition: Definition, choice: string): string =>
  labelOf(
    definition.find((field) => field.type === 'checkbox' && field.choices.includes(choice)),
    choice,
  );

/** A form's fields, in the order in which they are asked. */
export type Definition = readonly FormField[];
