import { readFileSync } from 'node:fs';

/** The four operations, for the two GraphQL servers. They have no bot check and no validation. */
const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const { write } = await import(process.env.PEER_STORE);
const { help, contact } = JSON.parse(read('forms.json'));
const submit = (_, { fields, recaptchaToken }) => write({ fields, recaptchaToken });

export const typeDefs = read('schema.graphql');
export const resolvers = {
  Query: { getHelpForm: () => help, getContactForm: () => contact },
  Mutation: { submitHelpRequest: submit, submitContactRequest: submit },
};

export const logListening = (port) => process.stdout.write(`{"event":"listening","port":${port}}\n`);
