import { readFileSync } from 'node:fs';
import { buildSchema, GraphQLError, type GraphQLScalarType, valueFromASTUntyped } from 'graphql';
import type { AnswerValue } from '../../model/field-types.ts';
import type { FormField, FormName } from '../../model/form-field.ts';
import { formNames } from '../../model/form-field.ts';
import { forms } from '../../model/forms.ts';
import type { ErrorCode, Receipt } from '../../model/operations.ts';
import type { ContentSource } from '../content/content-source.ts';
import { findLanguageTag, findTranslation } from '../content/languages/shown-languages.ts';
import type { MetricsSink } from '../metrics/metrics-sink.ts';
import type { ClientQuota } from '../submissions/quota.ts';
import type { SubmitForm } from '../submissions/submit.ts';

export const schema = buildSchema(readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8'));

const isAnswerValue = (value: unknown): value is AnswerValue =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string'));

function asAnswerValue(value: unknown): AnswerValue {
  if (isAnswerValue(value)) return value;
  throw new GraphQLError('An answer is a string, a boolean, or a list of strings', {
    extensions: { code: 'BAD_ANSWERS' },
  });
}

const answerValue = schema.getType('AnswerValue') as GraphQLScalarType<AnswerValue>;
answerValue.parseValue = asAnswerValue;
answerValue.parseLiteral = (node, variables) => asAnswerValue(valueFromASTUntyped(node, variables));

/** An error that the visitor's browser is meant to read. Every other error is masked. */
export class PublicError extends GraphQLError {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, retryAfterSeconds?: number) {
    super(message, { extensions: { code } });
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface GraphqlContext {
  quota: ClientQuota;
}

interface LanguageArgument {
  language?: string | null;
}

interface SubmitArguments extends LanguageArgument {
  fields: { key: string; value: unknown }[];
  recaptchaToken: string;
}

export interface ResolverParts {
  content: ContentSource;
  submitForm: SubmitForm;
  metrics?: Pick<MetricsSink, 'onRefused'> | undefined;
  previewLanguages: readonly string[];
}

const withLabels = (field: FormField): FormField =>
  field.type === 'checkbox' ? { choiceLabels: field.choices, ...field } : field;

/** The four operations, by their names in the schema. */
export function createResolvers({ content, submitForm, metrics, previewLanguages }: ResolverParts) {
  const translationIn = (tag: unknown) => findTranslation(content.current(), previewLanguages, tag);

  const getForm =
    (name: FormName) =>
    ({ language }: LanguageArgument) => {
      const { forms: translated } = translationIn(language) ?? content.current();
      return translated[name].definition.map(withLabels);
    };

  const submit =
    (name: FormName) =>
    async (submitted: SubmitArguments, { quota }: GraphqlContext): Promise<Receipt> => {
      const { fields, recaptchaToken, language } = submitted;
      const form = content.current().forms[name];
      const read = translationIn(language);
      const tag = findLanguageTag(content.current(), language);
      const translation = tag === null ? null : { tag, form: read?.forms[name] ?? form };
      const outcome = await submitForm(form, fields, recaptchaToken, quota, translation);
      if (outcome.ok) return outcome.receipt;
      metrics?.onRefused(name, outcome.code);
      throw new PublicError(outcome.code, outcome.message, outcome.retryAfterSeconds);
    };

  return Object.fromEntries(
    formNames.flatMap((name) => {
      const { operations } = forms[name];
      return [
        [operations.form, getForm(name)],
        [operations.submit, submit(name)],
      ];
    }),
  );
}
