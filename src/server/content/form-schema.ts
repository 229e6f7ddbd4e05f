import { z } from 'zod';
import { knownMeanings } from '../../model/choice-meanings.ts';
import type { FieldType, FormField } from '../../model/form-field.ts';
import { fieldTypeNames } from '../../model/server-field-types.ts';
import { nearestWord } from './nearest-word.ts';
import { trueOrFalse, words } from './words.ts';

/**
 * The schema of the files in content/forms/. The messages are read by a volunteer, not a programmer, and the descriptions in an
 * editor (build/editor-schemas.ts).
 */

const question = {
  key: z
    .string({ error: 'expected a name' })
    .regex(/^[A-Za-z][A-Za-z0-9]*$/, {
      error: 'expected letters and digits only, such as FirstName',
    })
    .describe('The name of the question in the files: letters and digits. It stays when the words change.'),
  displayName: words.describe('The question, as it is shown.'),
  description: z
    .string({ error: 'expected words, or nothing' })
    .nullish()
    .describe('Shown below the question. It may be left out.')
    .transform((written) => written ?? ''),
  required: trueOrFalse.describe('true: the form cannot be sent without an answer.'),
  shown: z
    .enum(['asked', 'more'], { error: 'expected asked or more, or no such line: then it is always shown' })
    .describe('asked: once a way of contact that asks for it is chosen. more: at the end, in the fold.')
    .optional(),
};
/** The description of a textarea is its label (spec §2). */
const label = z
  .string({ error: 'expected words: they are the label of a textarea' })
  .min(1, 'must not be empty: it is the label of a textarea')
  .describe('The label of the field. It may not be left out.');
/** Counts are stored for good, and nobody may be recognised by them. */
const neverCounted = z
  .never({ error: 'what people write is not counted: only the answers to checkbox and boolean are' })
  .optional();
const counted = trueOrFalse
  .describe('true: how often each choice is made is counted by the day, for your reports.')
  .optional();
/** The only meaning that a question of this type can have. Any other word is a mistake. */
const meaning = <const T extends string>(known: T) =>
  z
    .literal(known, { error: `expected ${known}: no other meaning of such a question is known` })
    .describe('What the answer means to us. Staff read it at the top of the mail.')
    .optional();

interface Choice {
  label: string;
  means?: string | undefined;
  asks?: string | undefined;
}
/** A choice is its words alone, or its words and what they mean. */
const choice = z.union(
  [
    words.transform((label): Choice => ({ label })),
    z.strictObject({
      label: words.describe('The words of the choice, as they are shown.'),
      means: words.meta({ description: 'What the words mean to us.', enum: [...knownMeanings] }).optional(),
      asks: words.describe('The key of the question that this way of contact needs an answer to.').optional(),
    }),
  ],
  { error: 'expected words, or label, means and asks, such as { label: Email, means: email, asks: Email }' },
);

const fieldSchemas = {
  text: z.strictObject({
    ...question,
    type: z.literal('text').describe('One line.'),
    means: meaning('safeTimes'),
    counted: neverCounted,
  }),
  textarea: z.strictObject({
    ...question,
    type: z.literal('textarea').describe('Several lines.'),
    description: label,
    counted: neverCounted,
  }),
  boolean: z.strictObject({
    ...question,
    type: z.literal('boolean').describe('One tick box.'),
    means: meaning('forSomeoneElse'),
    counted,
  }),
  checkbox: z.strictObject({
    ...question,
    type: z.literal('checkbox').describe('Any of the choices.'),
    counted,
    choices: z
      .array(choice, { error: 'expected a list of choices' })
      .min(1, 'expected at least one choice')
      .refine(
        (choices) => new Set(choices.map(({ label }) => label)).size === choices.length,
        'has the same choice twice',
      )
      .describe('A line each: the words of the choice, or its words and what they mean to us.'),
  }),
} satisfies { [T in FieldType]: z.ZodType<{ type: T }> };
type FieldSchema = (typeof fieldSchemas)[FieldType];

const fieldSchema = z.discriminatedUnion(
  'type',
  Object.values(fieldSchemas) as [FieldSchema, ...FieldSchema[]],
  { error: `expected a type: one of ${fieldTypeNames.join(', ')}` },
);

const formSchema = z
  .array(fieldSchema, { error: 'expected a list of questions' })
  .min(1, 'expected at least one question')
  .superRefine((fields, context) => {
    const problem = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const written = fields.flatMap(({ key, type }) => (type === 'text' || type === 'textarea' ? key : []));
    for (const [index, field] of fields.entries()) {
      if (fields.findIndex(({ key }) => key === field.key) < index)
        problem([index, 'key'], `the key ${field.key} is used twice`);
      if (field.required && field.shown)
        problem([index, 'shown'], 'a question that is required is always shown: leave this line out');
      for (const [choiceIndex, { asks }] of choicesOf(field).entries())
        if (asks && !written.includes(asks))
          problem(
            [index, 'choices', choiceIndex],
            `asks names no question that is answered in words: it is one of ${written.join(', ')}`,
          );
    }
  });

const toForm = (fields: WrittenField[]): WrittenForm => ({
  definition: fields.map(toField),
  counted: fields.flatMap(countedKey),
});

export const definitionSchema = formSchema
  .superRefine((fields, context) => {
    for (const [index, field] of fields.entries())
      for (const [choiceIndex, { means }] of choicesOf(field).entries())
        if (means !== undefined && !knownMeanings.includes(means))
          context.addIssue({
            code: 'custom',
            path: [index, 'choices', choiceIndex, 'means'],
            message: explainUnknown(means),
          });
  })
  .transform(toForm);

/** As before 1.2.0, which took a choice with an unknown meaning for its words alone. A last good content may have one. */
export const earlierDefinitionSchema = formSchema.transform(toForm);

function explainUnknown(means: string): string {
  const near = nearestWord(means, knownMeanings);
  return `${means} is not known: ${near ? `did you mean ${near}?` : `it is one of ${knownMeanings.join(', ')}`}`;
}

/** `counted` is separate from the definition, because visitors do not see which questions are counted. */
interface WrittenForm {
  definition: FormField[];
  counted: string[];
}

type WrittenField = z.output<typeof fieldSchema>;

const choicesOf = (field: WrittenField): Choice[] => (field.type === 'checkbox' ? field.choices : []);

const countedKey = ({ key, counted }: WrittenField) => (counted ? key : []);

/** The choices as GraphQL sends them, and their meanings beside them. */
function toField({ counted: _counted, ...field }: WrittenField): FormField {
  if (field.type !== 'checkbox') return field;
  const meanings = field.choices.flatMap(({ label, means, asks }: Choice) =>
    means === undefined ? [] : [{ choice: label, means, ...(asks === undefined ? {} : { asks }) }],
  );
  const choices = field.choices.map(({ label }) => label);
  return { ...field, choices, ...(meanings.length > 0 ? { meanings } : {}) };
}
