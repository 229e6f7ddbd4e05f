import type { ChoiceMeaning } from './choice-meanings.ts';

/** The two forms of the site. They are one feature with two definitions. */
export const formNames = ['help', 'contact'] as const;
export type FormName = (typeof formNames)[number];

interface Question {
  key: string;
  displayName: string;
  description: string;
  required: boolean;
}

export interface TextField extends Question {
  type: 'text';
  /** When it is safe to reach the person: staff read it beside the number. GraphQL does not tell it. */
  means?: 'safeTimes' | undefined;
}
export interface TextareaField extends Question {
  type: 'textarea';
}
export interface BooleanField extends Question {
  type: 'boolean';
  /** The visitor asks for another person: staff read it at the top of the mail. GraphQL does not tell it. */
  means?: 'forSomeoneElse' | undefined;
}
export interface CheckboxField extends Question {
  type: 'checkbox';
  choices: string[];
  /** Of those choices that have one. GraphQL does not tell it: there, choices are their words. */
  meanings?: ChoiceMeaning[];
}

export type FormField = TextField | TextareaField | BooleanField | CheckboxField;

/** A form as it is asked: its fields, in order. */
export type Definition = readonly FormField[];
