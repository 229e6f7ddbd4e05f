import { readFileSync } from 'node:fs';

/** The four operations, for the two GraphQL servers. No bot check and no validation: that is left to their users. */
const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const { keep } = await import(process.env.PEER_STORE);
const { help, contact } = JSON.parse(read('forms.json'));
const submit = (_, { fields, recaptchaToken }) => keep({ fields, recaptchaToken });

export const typeDefs = read('schema.graphql');
export const resolvers = {
  Query: { getHelpForm: () => help, getContactForm: () => contact },
  Mutation: { submitHelpRequest: submit, submitContactRequest: submit },
};

export const sayListening = (port) => process.stdout.write(`{"event":"listening","port":${port}}\n`);
