import { GraphQLError, GraphQLScalarType, valueFromASTUntyped } from 'graphql';
import type { AnswerValue } from '../../model/answers.ts';

function asAnswerValue(value: unknown): AnswerValue {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new GraphQLError('An answer is a string, a boolean, or a list of strings', {
    extensions: { code: 'BAD_ANSWERS' },
  });
}

export const answerValue = new GraphQLScalarType<AnswerValue>({
  name: 'AnswerValue',
  description: 'A string, a boolean, or a list of strings.',
  serialize: asAnswerValue,
  parseValue: asAnswerValue,
  parseLiteral: (node, variables) => asAnswerValue(valueFromASTUntyped(node, variables)),
});
