import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Definition } from '../src/model/form-field.ts';
import { formNames } from '../src/model/form-field.ts';
import { submitMutations } from '../src/model/operations.ts';
import { checkEntries } from '../src/model/validate.ts';
import { inject, prepareApp } from './support/app.ts';
import { sampleEntries, shippedContent } from './support/forms.ts';
import { mintToken } from './support/tokens.ts';

const keys = fc.oneof(
  fc.constantFrom(...shippedContent.forms.help.definition.map(({ key }) => key)),
  fc.constantFrom('__proto__', 'constructor', 'toString', ''),
  fc.string(),
);
const choices = shippedContent.forms.help.definition.flatMap((field) =>
  'choices' in field ? field.choices : [],
);
const values = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 600 }) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...choices), { maxLength: 4 }) },
  { weight: 2, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const madeUpEntries = fc.array(fc.record({ key: keys, value: values }), { maxLength: 12 });
/** A good form with a few answers changed, so that many of them get as far as the database. */
const changedEntries = madeUpEntries.map((changes) => {
  const changed = new Map<string, unknown>(sampleEntries.help.map(({ key, value }) => [key, value]));
  for (const { key, value } of changes.slice(0, 2)) changed.set(key, value);
  return [...changed].map(([key, value]) => ({ key, value }));
});
const requests = fc.record({
  form: fc.constantFrom(...formNames),
  fields: fc.oneof({ weight: 5, arbitrary: changedEntries }, madeUpEntries, fc.jsonValue()),
  token: fc.oneof({ weight: 9, arbitrary: fc.constant('good') }, fc.string(), fc.jsonValue()),
});

test('whatever is sent: no 5xx, no crash, no row that is not valid', async () => {
  const { app, dataDir } = await prepareApp();
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(requests, async ({ form, fields, token }) => {
      const recaptchaToken = token === 'good' ? await mintToken() : token;
      const { response, data, errors } = await inject(app, submitMutations[form], { fields, recaptchaToken });
      expect(response.statusCode).toBe(200);
      if (data && Object.values(data)[0]) kept++;
      else expect(['BAD_ANSWERS', 'BOT_CHECK_FAILED']).toContain(errors[0].extensions?.code);
    }),
    { numRuns: 1_500 },
  );

  using db = new DatabaseSync(`${dataDir}/awhina.sqlite`);
  const rows = db
    .prepare('SELECT s.answers, d.definition FROM submissions s JOIN definitions d ON d.hash = s.definition')
    .all();
  expect(rows.length).toBe(kept);
  expect(kept).toBeGreaterThan(50);
  for (const { answers, definition } of rows) {
    const asked = JSON.parse(String(definition)) as Definition;
    expect(checkEntries(asked, JSON.parse(String(answers)))).toMatchObject({ ok: true });
  }
});
