import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { editorSchemas, writeEditorSchemas } from '../build/editor-schemas.ts';
import { trustFiles } from '../src/cli/trust-folder/trust-folder.ts';
import { defaultsFolder } from '../src/server/content/defaults.ts';
import { temporaryFolder } from './support/temporary.ts';

type SchemaName = keyof typeof editorSchemas;

/** What an editor would underline: the path of each mistake. Here patterns are compiled without the u flag, which editors set. */
function underline(schema: SchemaName, yaml: string): string[] {
  const withoutClasses = JSON.stringify(editorSchemas[schema]).replaceAll('\\\\p{L}', 'A-Za-zÀ-ɏ');
  const result = z.fromJSONSchema(JSON.parse(withoutClasses)).safeParse(parse(yaml));
  const places = (result.error?.issues ?? []).map((issue) =>
    [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys : [])].join('.'),
  );
  return [...new Set(places)];
}

const trust = { name: 'A', email: 'a@trust.example', phone: '', address: 'Here' };
const made = trustFiles(trust);
const read = (path: string) => readFileSync(path, 'utf8');
const who = 'organisation: A\nemail: a@trust.example\naddress: Here\n';

test.each<[SchemaName, string, string]>([
  ['site', 'the example trust', read('content/site.yaml')],
  ['site', 'a new trust', made['content/site.yaml'] ?? ''],
  ['site', 'a trust with our defaults', who + read(join(defaultsFolder, 'site.yaml'))],
  ['site', 'blocks whose lines are all commented out', `${who}cover:\nform:\n  hints:\n`],
  [
    'site',
    'colours in capitals, one closure',
    `${who}theme: { primary: "#28425B" }\nclosed: { from: 2026-12-24, until: 2027-01-11 }`,
  ],
  ['helplines', 'the example trust', read('content/helplines.yaml')],
  ['helplines', 'a new trust', made['content/helplines.yaml'] ?? ''],
  ['helplines', 'our defaults', read(join(defaultsFolder, 'helplines.yaml'))],
  ['form', 'the example trust’s questions', read('content/forms/help.yaml')],
  ['form', 'our questions', read(join(defaultsFolder, 'forms/help.yaml'))],
  ['form', 'our questions of the other form', read(join(defaultsFolder, 'forms/contact.yaml'))],
])('an editor finds nothing wrong in %s.yaml of %s', (schema, _what, yaml) => {
  expect(underline(schema, yaml)).toEqual([]);
});

test.each<[SchemaName, string, string]>([
  ['site', `${who}organization: B`, 'organization'],
  ['site', 'organisation: A\naddress: Here', 'email'],
  ['site', `${who}form: { sendd: Go }`, 'form.sendd'],
  ['site', `${who}phone: call us`, 'phone'],
  ['site', `${who}closed: { from: 2026-12-24 }`, 'closed'],
  ['site', `${who}closedText: { now: We are away }`, 'closedText.now'],
  ['helplines', 'checked: soon', 'checked'],
  ['helplines', 'lines: [{ name: A, for: B, fone: "111" }]', 'lines.0.fone'],
  ['form', '- { key: A, type: text, displayName: A, required: maybe }', '0'],
  ['form', '- { key: A, type: checkbox, displayName: A, required: true }', '0'],
  [
    'form',
    '- { key: A, type: checkbox, displayName: A, required: true, choices: [{ label: B, means: urgnt }] }',
    '0',
  ],
])('an editor underlines what is wrong in %s.yaml: %s', (schema, yaml, place) => {
  expect(underline(schema, yaml)).toEqual([place]);
});

/** The names that neither a description nor an example explains, not even of what they are in. */
function findUnexplained(schema: z.core.JSONSchema.BaseSchema, path = ''): string[] {
  if (schema.description || schema.examples || schema.not) return [];
  const unnamed = [schema.items, schema.anyOf, schema.oneOf].flat().map((one) => ['', one] as const);
  const inside = [...Object.entries(schema.properties ?? {}), ...unnamed].filter(
    ([, one]) => typeof one === 'object',
  );
  if (inside.length === 0) return [path];
  return inside.flatMap(([name, one]) => findUnexplained(one as typeof schema, `${path} ${name}`));
}

test('every name is explained', () => {
  for (const schema of Object.values(editorSchemas)) expect(findUnexplained(schema)).toEqual([]);
});

test('the first line of the files of a new trust names a schema that the build writes', () => {
  const folder = temporaryFolder();
  writeEditorSchemas(folder);
  const named = Object.values(made).flatMap((text) =>
    Array.from(text.matchAll(/# yaml-language-server: \$schema=(\S+)$/gm), ([, url = '']) =>
      fileURLToPath(url),
    ),
  );
  expect(named.map((path) => basename(path)).toSorted()).toEqual([
    'form.schema.json',
    'helplines.schema.json',
    'site.schema.json',
  ]);
  for (const path of named) {
    expect(path).toContain('/dist/schemas/');
    expect(existsSync(join(folder, basename(path)))).toBe(true);
  }
  for (const file of ['content/site.yaml', 'content/helplines.yaml'])
    expect(made[file]).toMatch(/^# yaml-language-server: \$schema=file:/);
});
