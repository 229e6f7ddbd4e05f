import { GraphQLError } from 'graphql';
import type { FormName } from '../../model/form-field.ts';
import type { ErrorCode, Receipt } from '../../model/operations.ts';
import type { ContentSource } from '../content/content-source.ts';
import type { MetricsSink } from '../metrics/metrics-sink.ts';
import type { ClientQuota } from '../submissions/quota.ts';
import type { SubmitForm } from '../submissions/submit.ts';

/** An error the visitor's browser is meant to read. Every other one is masked. */
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

export interface SubmitArguments {
  fields: { key: string; value: unknown }[];
  recaptchaToken: string;
}

/** The four operations, by the names the schema gives them. */
export function createResolvers(
  content: ContentSource,
  submitForm: SubmitForm,
  metrics?: Pick<MetricsSink, 'onRefused'>,
) {
  const getForm = (name: FormName) => () => content.current().forms[name].definition;

  const submit =
    (name: FormName) =>
    async ({ fields, recaptchaToken }: SubmitArguments, { quota }: GraphqlContext): Promise<Receipt> => {
      const form = content.current().forms[name];
      const outcome = await submitForm(form, fields, recaptchaToken, quota);
      if (outcome.ok) return outcome.receipt;
      metrics?.onRefused(name, outcome.code);
      throw new PublicError(outcome.code, outcome.message, outcome.retryAfterSeconds);
    };

  return {
    getHelpForm: getForm('help'),
    getContactForm: getForm('contact'),
    submitHelpRequest: submit('help'),
    submitContactRequest: submit('contact'),
  };
}

export type Resolvers = ReturnType<typeof createResolvers>;
