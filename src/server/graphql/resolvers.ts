import { GraphQLError } from 'graphql';
import type { FormName } from '../../model/form-field.ts';
import type { ErrorCode, Receipt } from '../../model/operations.ts';
import type { ContentSource } from '../content/content-source.ts';
import type { Sender } from '../submissions/sender.ts';
import type { SubmitForm } from '../submissions/submit.ts';
import { answerValue } from './answer-value.ts';

/** An error the visitor's browser is meant to read. Every other one is masked. */
export class OpenError extends GraphQLError {
  constructor(code: ErrorCode, message: string) {
    super(message, { extensions: { code } });
  }
}

export interface GraphqlContext {
  /** @throws {OpenError} RATE_LIMITED when this visitor has sent too much. */
  allowSubmission(): Promise<void>;
  sender: Sender;
}

interface SubmitArguments {
  fields: { key: string; value: unknown }[];
  recaptchaToken: string;
}

export function createResolvers(content: ContentSource, submitForm: SubmitForm) {
  const getForm = (name: FormName) => () => content.current().forms[name].definition;

  const submit =
    (name: FormName) => async (_root: unknown, args: SubmitArguments, context: GraphqlContext) => {
      await context.allowSubmission();
      const form = content.current().forms[name];
      const outcome = await submitForm(form, args.fields, args.recaptchaToken, context.sender);
      if (!outcome.ok) throw new OpenError(outcome.code, outcome.message);
      return outcome.receipt satisfies Receipt;
    };

  return {
    AnswerValue: answerValue,
    Query: { getHelpForm: getForm('help'), getContactForm: getForm('contact') },
    Mutation: { submitHelpRequest: submit('help'), submitContactRequest: submit('contact') },
  };
}
