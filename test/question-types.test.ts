import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GraphQLEnumType } from 'graphql';
import { parseHTML } from 'linkedom';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { makeSampleRequests } from '../scripts/sample-requests.ts';
import type { Entry } from '../src/model/answers.ts';
import { checkEntries } from '../src/model/check-entries.ts';
import type { AnswerOf } from '../src/model/field-types.ts';
import type { FieldType } from '../src/model/form-field.ts';
import { formQueries } from '../src/model/operations.ts';
import { fieldTypeNames, serverFieldTypes } from '../src/model/server-field-types.ts';
import { readContent } from '../src/server/content/content.ts';
import { findSealed, writeOpened } from '../src/server/delivery/letter/sealed-file.ts';
import { schema } from '../src/server/graphql/schema.ts';
import { createCanaryMarks } from '../src/server/self-checks/canary-mark.ts';
import { visitAsCanary } from '../src/server/self-checks/canary-visit.ts';
import { createOpen, createSeal, generateKeyPair } from '../src/server/submissions/seal.ts';
import { awhina } from './support/command.ts';
import { parseCsv } from './support/csv.ts';
import { startServer, type TestServer } from './support/server.ts';
import { mintToken, testSecret } from './support/tokens.ts';
import { isReceipt, postGraphql, send } from './support/visitor.ts';

/** A form with one question of every type, through everything that a form goes through. */

interface Example<T extends FieldType> {
  answer: AnswerOf<T>;
  /** As a browser posts the answer without a script. */
  posted: string[];
  /** As staff read the answer. */
  read: string;
  /** In the CSV, and in a sealed file without its questions, where different. */
  cell?: string;
  /** What the form file says of such a question besides its key, type, name and description. */
  written?: object;
}

const examples: { [T in FieldType]: Example<T> } = {
  text: { answer: 'One line', posted: ['One line'], read: 'One line' },
  textarea: { answer: 'Several\nlines', posted: ['Several\r\nlines'], read: 'Several\nlines' },
  boolean: { answer: true, posted: ['on'], read: 'Yes' },
  checkbox: {
    answer: ['First', 'Third'],
    posted: ['First', 'Third'],
    read: 'First\nThird',
    written: { choices: ['First', 'Second', 'Third'] },
  },
};

const questions = fieldTypeNames.map((type) => {
  const example: Example<FieldType> = examples[type];
  return { type, key: `The${type}`, ...example };
});
const entries: Entry[] = questions.map(({ key, answer }) => ({ key, value: answer }));
const form = questions.map(({ type, key, written }) => {
  const words = { displayName: `Name of ${type}`, description: `Description of ${type}` };
  return { key, type, ...words, required: true, ...written };
});
/** The folding of long lines, the indentation and the HTML line breaks of a letter are tested elsewhere. */
const unbroken = (text = '') => text.replace(/\s+/g, ' ');

let folder: string;
let contentDir: string;
let env: Record<string, string>;
let server: TestServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'awhina-'));
  contentDir = join(folder, 'content');
  cpSync('content', contentDir, { recursive: true });
  mkdirSync(join(contentDir, 'forms'), { recursive: true });
  for (const name of ['help', 'contact'])
    writeFileSync(join(contentDir, 'forms', `${name}.yaml`), stringify(form));
  env = { CONTENT_DIR: contentDir, DATA_DIR: join(folder, 'data') };
  server = await startServer(env);
});

afterAll(async () => {
  await server?.end();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

async function readMail(reference: string) {
  await expect
    .poll(() => server.lines)
    .toContainEqual(expect.stringMatching(new RegExp(`"event":"mail accepted".*${reference}`)));
  return PostalMime.parse(readFileSync(join(folder, 'data', 'mail', `${reference}.eml`)));
}

test('GraphQL and the comments in the form files know the same types as the code', () => {
  const names = (schema.getType('FieldType') as GraphQLEnumType).getValues().map(({ name }) => name);
  expect(names.toSorted()).toEqual(fieldTypeNames.toSorted());
  const explained = fieldTypeNames.map((type) => `${type} (${serverFieldTypes[type].explained})`);
  for (const path of ['content/forms', 'src/server/content/defaults/forms'])
    for (const name of ['help', 'contact'])
      expect(readFileSync(`${path}/${name}.yaml`, 'utf8')).toContain(`# type: ${explained.join(', ')}.\n`);
});

test('the content check takes every type', async () => {
  expect(await awhina(['check'], env)).toMatchObject({ code: 0 });
});

test('the page asks every type, and GraphQL serves every type', async () => {
  const { document } = parseHTML(await (await fetch(`${server.url}/help`)).text());
  for (const { key } of questions) expect(document.querySelector(`form [name="${key}"]`), key).not.toBeNull();
  const { data } = await postGraphql(server.url, formQueries.help);
  expect(data?.getHelpForm).toMatchObject(form);
});

test('every answer arrives in text and HTML of the mail, sent with and without a script, and in the CSV', async () => {
  const receipt = await send(server.url, 'help', entries, await mintToken());
  if (!isReceipt(receipt)) throw new Error(`Not accepted: ${receipt}`);

  const body = new URLSearchParams(
    questions.flatMap(({ key, posted }) => posted.map((value) => [key, value])),
  );
  const page = await fetch(`${server.url}/contact`, {
    method: 'POST',
    body,
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  const [noScriptReference = ''] = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(await page.text()) ?? [];

  for (const reference of [receipt.reference, noScriptReference]) {
    const mail = await readMail(reference);
    const { document } = parseHTML(mail.html ?? '');
    for (const { key, read } of questions)
      for (const text of [mail.text, document.body.textContent ?? ''])
        expect(unbroken(text), key).toContain(unbroken(read));
  }

  const { code, out, err } = await awhina(['export', '--csv'], env);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const [head = [], ...rows] = parseCsv(out.replace('\uFEFF', ''));
  for (const reference of [receipt.reference, noScriptReference]) {
    const row = rows.find(([first]) => first === reference) ?? [];
    for (const { type, read, cell = read } of questions)
      expect(row[head.indexOf(`Name of ${type}`)], type).toBe(cell);
  }
});

test('a sealed file opens as every answer', async () => {
  const { forms } = await readContent(contentDir);
  const { recipient, identity } = await generateKeyPair();
  const about = {
    form: 'help',
    receivedAt: '2026-11-15T02:10:49Z',
    urgent: false,
    verdict: { kind: 'clean' },
  } as const;
  const { definition } = forms.help;
  const open = createOpen(identity);
  // With its questions, and as earlier versions sealed answers: without.
  for (const known of [{ ...about, definition }, undefined]) {
    const { sealed } = await createSeal([recipient])(entries, known);
    const [part] = await findSealed(Buffer.from(sealed));
    const letter = writeOpened(await open(part?.file ?? ''), null);
    const expected = questions.map(({ read, cell = read }) => (known ? read : cell));
    expect(letter.answers.map(({ answer }) => answer).toSorted()).toEqual(expected.toSorted());
  }
});

test('the canary invents an answer to every type', async () => {
  const marks = createCanaryMarks(testSecret, () => new Date());
  const { signal } = new AbortController();
  await expect(visitAsCanary({ url: server.url, marks, signal })).resolves.toMatch(/^\w{4}-\w{4}$/);
});

test('the sample data has valid answers to every type', async () => {
  const { forms } = await readContent(contentDir);
  const options = { forms, seed: 1, from: '2026-01-01', until: '2026-01-31', requests: 20 };
  const problems = { required: '{question} is empty', tooLong: '{question} is too long' };
  const samples = makeSampleRequests(options).map(({ submission }) => submission);
  for (const { form: sampled, answers } of samples)
    expect(checkEntries(sampled.definition, answers as Entry[], problems)).toMatchObject({ ok: true });
  const answered = new Set(samples.flatMap(({ answers }) => (answers as Entry[]).map(({ key }) => key)));
  expect(answered).toEqual(new Set(questions.map(({ key }) => key)));
});
