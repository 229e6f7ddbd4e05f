import { expect, test } from 'vitest';
import { inject, prepareApp } from '../../../test/support/app.ts';
import { sampleEntries, stillContent, withAnswer } from '../../../test/support/forms.ts';
import { prepareRoute } from '../../../test/support/graphql-route.ts';
import { accent } from '../../../test/support/pseudo-language.ts';
import { mintToken } from '../../../test/support/tokens.ts';
import { translatedContent } from '../../../test/support/translated-content.ts';
import type { FormField } from '../../model/form-field.ts';
import { formQueries, submitMutations, withoutLanguage } from '../../model/operations.ts';

const content = stillContent(translatedContent);

test('a form is given in the language that is asked for, with labels beside the choices that are posted', async () => {
  const { app } = await prepareApp({ content });
  const ask = async (language?: unknown): Promise<FormField[]> =>
    (await inject(app, formQueries.help, { language })).data.getHelpForm;
  const original = await ask();
  const translated = await ask('en-XA');
  expect(translated.map(({ key }) => key)).toEqual(original.map(({ key }) => key));
  expect(translated.map(({ displayName }) => displayName)).toEqual(
    original.map(({ displayName }) => accent(displayName)),
  );
  const choices = (fields: FormField[]) =>
    fields.flatMap((field) => (field as { choices?: string[] }).choices ?? []);
  const labels = (fields: FormField[]) =>
    fields.flatMap((field) => (field as { choiceLabels?: string[] }).choiceLabels ?? []);
  expect(choices(translated)).toEqual(choices(original));
  expect(labels(translated)).toEqual(choices(original).map(accent));
  expect(labels(original)).toEqual(choices(original));
});

test.each([['sm'], [null], [''], ['../en-XA'], ['mi'], ['x'.repeat(5_000)]])(
  'words of a language that is not shown are those of the original, and no request is refused: %s',
  async (language) => {
    const { app, store } = await prepareApp({ content });
    const { data, errors } = await inject(app, formQueries.help, { language });
    expect(errors).toBeUndefined();
    expect(data).toEqual((await inject(app, formQueries.help)).data);
    const fields = withAnswer(sampleEntries.help, 'Message', `In ${language}`);
    const sent = await inject(app, submitMutations.help, {
      fields,
      recaptchaToken: await mintToken(),
      language,
    });
    const stored = await store.findSubmission(sent.data.submitHelpRequest.reference);
    // The file is there, and the language may have been withdrawn while somebody was writing.
    expect(stored?.language).toBe(language === 'mi' ? 'mi' : null);
  },
);

test('a preview takes its language too', async () => {
  const { app } = await prepareApp({ content, previewLanguages: ['mi'] });
  const { data } = await inject(app, formQueries.help, { language: 'mi' });
  expect(data).not.toEqual((await inject(app, formQueries.help)).data);
});

test('what is wrong is said in the language of the form, and submitForm is told of it', async () => {
  const { app } = await prepareApp({ content });
  const fields = withAnswer(sampleEntries.help, 'FirstName', '');
  const { errors } = await inject(app, submitMutations.help, {
    ...{ fields, recaptchaToken: await mintToken(), language: 'en-XA' },
  });
  expect(errors).toEqual([
    { message: accent('First name is required'), extensions: { code: 'BAD_ANSWERS' } },
  ]);

  const { post, submitForm } = prepareRoute({ content });
  const variables = { fields: sampleEntries.help, recaptchaToken: 'x', language: 'en-xa' };
  await post({ query: submitMutations.help, variables });
  expect(submitForm.mock.calls[0]?.[0]).toBe(translatedContent.forms.help);
  expect(submitForm.mock.calls[0]?.[4]).toMatchObject({
    tag: 'en-XA',
    form: { definition: expect.any(Array) },
  });
});

test('the documents of the version before work unchanged', async () => {
  const { app } = await prepareApp({ content });
  const { data, errors } = await inject(app, withoutLanguage(formQueries.help));
  expect([errors, Object.keys(data.getHelpForm[0])]).toEqual([
    undefined,
    ['key', 'type', 'displayName', 'description', 'required', 'choices'],
  ]);
  const variables = { fields: sampleEntries.help, recaptchaToken: await mintToken() };
  const sent = await inject(app, withoutLanguage(submitMutations.help), variables);
  expect(sent.data.submitHelpRequest.reference).toMatch(/^.{4}-.{4}$/);
});

test('the documents without a language are those that version 1.1 sends', () => {
  expect(withoutLanguage(submitMutations.help)).toBe(
    'mutation submitHelpRequest($fields: [AnswerInput!]!, $recaptchaToken: String!) { submitHelpRequest(fields: $fields, recaptchaToken: $recaptchaToken) { reference receivedAt } }',
  );
  expect(withoutLanguage(formQueries.contact)).toBe(
    'query getContactForm { getContactForm { key type displayName description required choices } }',
  );
});
