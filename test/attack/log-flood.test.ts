import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { submitMutations } from '../../src/model/operations.ts';
import { visitAll } from '../support/attackers.ts';
import { sampleEntries } from '../support/forms.ts';
import { exchange } from '../support/raw-http.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { mintToken } from '../support/tokens.ts';
import { anyAddress, isReceipt, postGraphql, send, trustTheVisitor } from '../support/visitor.ts';

/** A key that a stack would have after the message, and no list of secrets would know. */
const key = 'x\n    at CANARY (/srv/site/answers.ts:1:1)';

/** The same mutation with variables by other names, whose errors nobody foresaw. */
const otherNames =
  'mutation ($f: [AnswerInput!]!, $t: String!) { submitHelpRequest(fields: $f, recaptchaToken: $t) { reference } }';

const post = (url: string, body: string) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': anyAddress() },
    body,
  });

test('whatever is sent, however often, the log stays short and contains nothing of it', async () => {
  const server = await startServer({ DATA_DIR: temporaryFolder(), ...trustTheVisitor });
  onTestFinished(async () => void (await server.end()));
  const port = Number(new URL(server.url).port);
  const atStart = server.lines.length;
  const junk: (() => Promise<unknown>)[] = [
    () => postGraphql(server.url, submitMutations.help, { fields: Array(500).fill({}), recaptchaToken: 'x' }),
    () => postGraphql(server.url, submitMutations.help, { fields: [{ key, value: {} }], recaptchaToken: 5 }),
    () => postGraphql(server.url, submitMutations.contact, { fields: [{ key, value: 'x' }] }),
    () => postGraphql(server.url, otherNames, { f: Array(500).fill({ [key]: key }), t: 'x' }),
    () => send(server.url, 'contact', sampleEntries.contact, 'CANARY'.repeat(20)),
    () => postGraphql(server.url, `{ ${'getHelpForm { key } '.repeat(30)} }`, { [key]: key }),
    () => postGraphql(server.url, `{ ${key} }`),
    () => post(server.url, '{"query":'),
    () => post(server.url, JSON.stringify({ query: JSON.stringify({ kind: 'Document', definitions: [] }) })),
    () => post(server.url, 'null'),
    () => fetch(`${server.url}/photos/${'a'.repeat(32)}/none`),
    () => fetch(`${server.url}/%zz?${encodeURIComponent(key)}`, { redirect: 'manual' }),
    () => exchange(port, 'CANARY\r\n\r\n'),
  ];
  for (let round = 0; round < 60; round++) await Promise.all(junk.map((send) => send()));
  expect(await visitAll(server.url, 1)).toEqual([200]);
  expect(await server.end()).toBe(0);
  const written = server.lines.slice(atStart);
  // Each kind of trouble once, and at the end how often; the words at the start and the end of a server.
  expect(written.length).toBeLessThan(40);
  expect(written.every((line) => line.length < 4_000)).toBe(true);
  expect(written.join('\n')).not.toContain('CANARY');
  // The first at once, and the other 59 at the end.
  const refused = written.filter((line) => line.includes('"event":"token refused","reason":"malformed"'));
  expect(refused.map((line) => JSON.parse(line).repeated)).toEqual([undefined, 59]);
});

test('forms that cannot be stored do not flood the log', async () => {
  const dataDir = temporaryFolder();
  const server = await startServer({ DATA_DIR: dataDir, ...trustTheVisitor });
  onTestFinished(async () => void (await server.end()));
  using db = new DatabaseSync(`${dataDir}/awhina.sqlite`, { timeout: 5_000 });
  db.exec('DROP TABLE jobs');
  const atStart = server.lines.length;
  for (let n = 0; n < 100; n++) {
    expect(isReceipt(await send(server.url, 'help', sampleEntries.help, await mintToken()))).toBe(false);
  }
  expect(await server.end()).toBe(0);
  const trouble = server.lines.slice(atStart).filter((line) => line.includes('"level":"error"'));
  expect(trouble.length).toBeGreaterThan(0);
  expect(trouble.length).toBeLessThan(20);
  expect(trouble.join('\n')).toMatch(/"repeated":99/);
});
