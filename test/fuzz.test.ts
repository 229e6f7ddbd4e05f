import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkEntries } from '../src/model/check-entries.ts';
import { type Definition, type FormName, formNames } from '../src/model/form-field.ts';
import { submitMutations } from '../src/model/operations.ts';
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
/** A good form with a few answers changed to anything. */
const changedEntries = (form: FormName) =>
  madeUpEntries.map((changes) => {
    const changed = new Map<string, unknown>(sampleEntries[form].map(({ key, value }) => [key, value]));
    for (const { key, value } of changes.slice(0, 2)) changed.set(key, value);
    return [...changed].map(([key, value]) => ({ key, value }));
  });
/** A good form with any words at all in it, so that many get as far as the database. */
const wordyEntries = (form: FormName) =>
  fc
    .string({ unit: 'binary', maxLength: 400 })
    .map((words) =>
      sampleEntries[form].map((entry) =>
        entry.key === 'Message' ? { ...entry, value: `${words}.` } : entry,
      ),
    );
const requests = fc.constantFrom(...formNames).chain((form) =>
  fc.record({
    form: fc.constant(form),
    fields: fc.oneof(
      { weight: 4, arbitrary: changedEntries(form) },
      { weight: 3, arbitrary: wordyEntries(form) },
      madeUpEntries,
      fc.jsonValue(),
    ),
    token: fc.oneof({ weight: 9, arbitrary: fc.constant('good') }, fc.string(), fc.jsonValue()),
  }),
);

test('whatever is sent: no 5xx, no crash, no row that is not valid', async () => {
  const { app, dataDir } = await prepareApp();
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(requests, async ({ form, fields, token }) => {
      const recaptchaToken = token === 'good' ? await mintToken() : token;
      const { response, data, errors } = await inject(app, submitMutations[form], { fields, recaptchaToken });
      // Keys that would change what objects are made of do not get past the reading of the JSON.
      if (response.statusCode === 400) {
        expect(JSON.stringify([fields, token])).toMatch(/"(__proto__|constructor)":/);
        return;
      }
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
  // About 460 of 1,500; far fewer would mean that the fuzz no longer reaches the database.
  expect(kept).toBeGreaterThan(200);
  for (const { answers, definition } of rows) {
    const asked = JSON.parse(String(definition)) as Definition;
    expect(checkEntries(asked, JSON.parse(String(answers)), shippedContent.site.form)).toMatchObject({
      ok: true,
    });
  }
});
