import fc from 'fast-check';
import { parse } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { formQueries, submitMutations } from '../../src/model/operations.ts';
import { sampleEntries } from '../support/forms.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { mintToken } from '../support/tokens.ts';
import { isReceipt, postBody, send, trustTheVisitor } from '../support/visitor.ts';

const good = [
  ...Object.values(formQueries),
  ...Object.values(submitMutations),
  '{ __typename }',
  '{ __schema { types { name fields { name description } } } }',
  'query Q($on: Boolean!) { getHelpForm { key type @include(if: $on) } }',
  'query Q($on: Boolean = true) { a: getHelpForm { ...F } getContactForm @skip(if: $on) { ...F } } fragment F on FormField { key }',
  'mutation M($t: String!) { submitContactRequest(fields: [{ key: "Subject", value: ["x"] }], recaptchaToken: $t) { reference } }',
];
const words = [
  ...'{ } ( ) [ ] : ! = | & @ $ $on $fields query mutation subscription fragment F on Q FormField Query'.split(
    ' ',
  ),
  ...'getHelpForm getContactForm submitHelpRequest key type choices reference __typename __schema types name'.split(
    ' ',
  ),
  ...[
    '...',
    '@include(if: $on)',
    '@skip(if: true)',
    '"x"',
    '"""x"""',
    '"\\u0000"',
    '-1e99',
    'null',
    'true',
    '# x\n',
  ],
  ...['\u0000', '\uFEFF', '🏃', '"', '\\', '`', '$'],
];
const phrases = fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((list) => list.join(' '));
const damaged = fc
  .tuple(fc.constantFrom(...good), fc.nat(300), fc.nat(20), fc.oneof(fc.string(), fc.constantFrom(...words)))
  .map(([text, at, gone, put]) => text.slice(0, at) + put + text.slice(at + gone));
const trees = fc
  .tuple(fc.constantFrom(...good), fc.string(), fc.constantFrom('on', 'key', 'Field', 'Name', 'query'))
  .map(([text, put, name]) =>
    JSON.stringify(parse(text, { noLocation: true })).replaceAll(`"${name}"`, JSON.stringify(put)),
  );
const long = fc
  .tuple(
    fc.constantFrom('{', '[', '{ a ', 'a ', '"', '@skip ', '...F ', '($a: [', '# ', 'é'),
    fc.integer({ min: 1, max: 20_000 }),
  )
  .map(([text, times]) => `{ getHelpForm { key ${text.repeat(times)}`.slice(0, 50_000));
const documents = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...good) },
  { weight: 3, arbitrary: damaged },
  { weight: 3, arbitrary: phrases },
  { weight: 2, arbitrary: trees },
  { weight: 1, arbitrary: long },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

const nested = fc.integer({ min: 1, max: 15_000 }).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`);
const listed = fc
  .tuple(
    fc.constantFrom('{}', 'null', '{"key":"x"}', '{"key":"Message","value":"x"}', '[]', '1'),
    fc.nat(3_000),
  )
  .map(([item, times]) => `[${Array(times).fill(item).join()}]`);
const values = fc.oneof(
  fc.json(),
  nested,
  listed,
  fc.constantFrom(JSON.stringify(sampleEntries.help), 'true', '"x"'),
);
const names = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('fields', 'recaptchaToken', 'on', 't') },
  fc.constantFrom('__proto__', 'constructor', '$fields', ''),
);
const variables = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(names, values, { maxKeys: 3 }).map(asMap) },
  { weight: 1, arbitrary: values },
);
function asMap(entries: Record<string, string>): string {
  return `{${Object.entries(entries)
    .map(([name, json]) => `${JSON.stringify(name)}:${json}`)
    .join()}}`;
}
const operationNames = fc.oneof(
  { weight: 6, arbitrary: fc.constant('null') },
  fc.constantFrom('"Q"', '"getHelpForm"', '""'),
  fc.json(),
);
const operations = fc
  .tuple(documents, fc.option(variables), operationNames)
  .map(
    ([query, given, name]) =>
      `{"query":${JSON.stringify(query)},"variables":${given},"operationName":${name}}`,
  );
const bodies = fc.oneof({ weight: 9, arbitrary: operations }, fc.json(), fc.string({ unit: 'binary' }));
const accepts = fc.constantFrom(
  '*/*',
  'application/json',
  'application/graphql-response+json',
  'text/html',
  ';;,q=',
);

test('whatever is sent to GraphQL, and however often: the same short response, no 5xx, no crash, and a short log', async () => {
  const server = await startServer({ DATA_DIR: temporaryFolder(), ...trustTheVisitor });
  onTestFinished(async () => void (await server.end()));
  let answered = 0;
  let refused = 0;
  const runs = 600;
  await fc.assert(
    fc.asyncProperty(bodies, accepts, async (body, accept) => {
      const first = await postBody(server.url, body, { accept });
      const again = await postBody(server.url, body, { accept });
      expect(again).toEqual(first);
      expect([200, 400, 413]).toContain(first.status);
      expect(first.text.length).toBeLessThan(64 * 1024);
      if (first.text.startsWith('{"data":{')) answered++;
      if (first.text.startsWith('{"errors":')) refused++;
    }),
    { numRuns: runs },
  );
  // Far fewer would mean that the fuzz no longer reaches what it is for. Chance alone never gives so few: one in 14 is usual.
  expect(answered).toBeGreaterThan(runs / 60);
  expect(refused).toBeGreaterThan(runs / 4);
  expect(isReceipt(await send(server.url, 'help', sampleEntries.help, await mintToken()))).toBe(true);
  expect(server.process.exitCode).toBeNull();
  await server.end();
  expect(server.lines.length).toBeLessThan(40);
});
