import { readFileSync } from 'node:fs';
import { buildSchema, GraphQLError, type GraphQLScalarType, valueFromASTUntyped } from 'graphql';
import type { AnswerValue } from '../../model/field-types.ts';

export const isAnswerValue = (value: unknown): value is AnswerValue =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string'));

function asAnswerValue(value: unknown): AnswerValue {
  if (isAnswerValue(value)) return value;
  throw new GraphQLError('An answer is a string, a boolean, or a list of strings', {
    extensions: { code: 'BAD_ANSWERS' },
  });
}

export const schema = buildSchema(readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8'));

const answerValue = schema.getType('AnswerValue') as GraphQLScalarType<AnswerValue>;
answerValue.parseValue = asAnswerValue;
answerValue.parseLiteral = (node, variables) => asAnswerValue(valueFromASTUntyped(node, variables));
