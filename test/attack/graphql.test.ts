import { readdirSync } from 'node:fs';
import { parse } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { formQueries, submitMutations } from '../../src/model/operations.ts';
import { sampleEntries } from '../support/forms.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { mintToken } from '../support/tokens.ts';
import { isReceipt, postBody, postGraphql, send, trustTheVisitor } from '../support/visitor.ts';

/** At the most verbose: what an attacker can have written to the disk is part of it. */
async function attackedServer() {
  const server = await startServer({ DATA_DIR: temporaryFolder(), LOG_LEVEL: 'debug', ...trustTheVisitor });
  onTestFinished(async () => void (await server.end()));
  return server;
}

/** A syntax tree in JSON, whose variable has a name that no GraphQL could have. */
function treeWith(name: string): string {
  const tree = parse('query Q($NAME: Boolean!) { getHelpForm @include(if: $NAME) { key } }', {
    noLocation: true,
  });
  return JSON.stringify(tree).replaceAll('"NAME"', JSON.stringify(name));
}

test('code in the names of a syntax tree is never run: no file appears, and each try is a 400', async () => {
  const server = await attackedServer();
  const folder = temporaryFolder();
  const names = [
    `=process.getBuiltinModule(\`fs\`).writeFileSync(\`${folder}/proof.txt\`,\`here\`),a`,
    `");process.getBuiltinModule("fs").writeFileSync("${folder}/proof.txt","here");("`,
  ];
  for (const name of names) {
    const query = treeWith(name);
    expect(query.length).toBeLessThan(4_096);
    for (const accept of ['*/*', 'application/json', 'application/graphql-response+json']) {
      for (let round = 0; round < 3; round++) {
        const body = JSON.stringify({ query, variables: { [name]: true } });
        const { status, text } = await postBody(server.url, body, { accept });
        expect(status).toBe(400);
        expect(text).not.toContain('getBuiltinModule');
        // The tree itself, not as text.
        const asTree = JSON.stringify({ query: JSON.parse(query), variables: { [name]: true } });
        expect((await postBody(server.url, asTree, { accept })).status).toBe(400);
      }
    }
  }
  expect(readdirSync(folder)).toEqual([]);
  expect((await postGraphql(server.url, formQueries.help)).status).toBe(200);
});

const others = '{ getContactForm { key } }';
const otherMutation = submitMutations.help.replace('submitHelpRequest(', 'Other(');
const wrongType = 'query Q($fields: [Boolean!]!) { getHelpForm { key @include(if: true) } }';
test.each([
  ["the site's own document", submitMutations.help],
  ['a document of its own', otherMutation],
  ['a document that asks for something else', others],
  ['a document with another type', wrongType],
])('20,000 empty answers in %s: the answer and the log stay small, each time', async (_what, query) => {
  const server = await attackedServer();
  const fields = `[${Array(20_000).fill('{}').join()}]`;
  const body = `{"query":${JSON.stringify(query)},"variables":{"fields":${fields},"recaptchaToken":"x"}}`;
  expect(body.length).toBeGreaterThan(60_000);
  const first = await postBody(server.url, body);
  expect(first.status).toBeLessThan(500);
  expect(first.text.length).toBeLessThan(500);
  for (let round = 0; round < 5; round++) expect(await postBody(server.url, body)).toEqual(first);

  const receipt = await send(server.url, 'help', sampleEntries.help, await mintToken());
  expect(isReceipt(receipt)).toBe(true);
  await server.end();
  const written = server.lines.filter((line) => line.includes('"/graphql"'));
  expect(written.length).toBeLessThanOrEqual(7);
  expect(server.lines.length).toBeLessThan(40);
  for (const line of server.lines) expect(line.length).toBeLessThan(500);
});

test('wrong values of every kind are answered in one sentence that repeats none of them', async () => {
  const server = await attackedServer();
  const canary = 'CANARY'.repeat(1_000);
  const lists = [
    Array(1_900).fill(null),
    Array(600).fill({ key: 1, value: canary.slice(0, 60) }),
    [{ key: canary, value: { [canary]: canary } }],
    [{ [canary]: canary }],
    canary,
    { [canary]: [] },
  ];
  for (const fields of lists) {
    const body = JSON.stringify({
      query: submitMutations.help,
      variables: { fields, recaptchaToken: canary },
    });
    for (let round = 0; round < 3; round++) {
      const { status, text } = await postBody(server.url, body);
      expect(status).toBe(200);
      expect(JSON.parse(text).errors).toHaveLength(1);
      expect(text.length).toBeLessThan(200);
      expect(text).not.toContain('CANARY');
    }
  }
  await server.end();
  expect(server.lines.join('\n')).not.toContain('CANARY');
});
