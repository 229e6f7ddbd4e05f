import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { z } from 'zod';
import { type ContentFile, defaultsFolder } from '../src/server/content/defaults.ts';
import { definitionSchema } from '../src/server/content/form-schema.ts';
import { helplinesSchema } from '../src/server/content/read-helplines.ts';
import { siteSchema } from '../src/server/content/site-schema.ts';
import { oneOrMoreParts } from '../src/server/content/words.ts';

/**
 * JSON Schemas of the files in content/, with which an editor completes and explains them. What only code can check is left
 * open: `awhina check` has the last word.
 */

type Schema = z.core.JSONSchema.BaseSchema;

export const editorSchemas = {
  site: forTrust(siteSchema, 'site.yaml'),
  helplines: forTrust(helplinesSchema, 'helplines.yaml'),
  form: toSchema(definitionSchema),
} satisfies Record<string, Schema>;

export function writeEditorSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, schema] of Object.entries(editorSchemas))
    writeFileSync(`${folder}/${name}.schema.json`, `${JSON.stringify(schema, undefined, 2)}\n`);
}

function toSchema(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, {
    target: 'draft-07',
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const parts = oneOrMoreParts.get(zodSchema);
      if (parts) jsonSchema.anyOf = parts.map(toSchema).map(({ $schema, ...part }) => part);
      // An extension that editors know: in place of "does not match the pattern", with the pattern.
      if (jsonSchema.pattern !== undefined || jsonSchema.allOf)
        jsonSchema.patternErrorMessage = z.safeParse(zodSchema, '\0').error?.issues[0]?.message;
    },
  });
}

/** The schema of a file that a trust writes over the defaults. */
function forTrust(schema: z.ZodType, file: ContentFile): Schema {
  const { contents } = parseDocument(readFileSync(`${defaultsFolder}/${file}`, 'utf8'));
  const json = toSchema(schema);
  if (isMap(contents)) addDefaults(json, contents);
  return json;
}

/**
 * What the defaults give is not required, and is explained by the comment above it. It is an example, which editors offer for its
 * own line, and no `default`: with those an editor completes a block by copying every sentence in it.
 */
function addDefaults(schema: Schema, defaults: YAMLMap): void {
  for (const { key, value } of defaults.items) {
    const name = String(key);
    const inner = schema.properties?.[name];
    if (typeof inner !== 'object') continue;
    schema.required = (schema.required ?? []).filter((one) => one !== name);
    const comment = isScalar(key) ? key.commentBefore : undefined;
    if (comment) inner.description = readComment(comment);
    if (typeof inner.type === 'string' && isScalar(value) && value.value) inner.examples = [value.value];
    if (!isMap(value)) continue;
    addDefaults(inner, value);
    // A block whose lines are all commented out counts as absent.
    (inner as Record<string, unknown>).type = ['object', 'null'];
  }
}

/** The lines after the last empty one: those before it are about the whole file. */
function readComment(comment: string): string {
  return (comment.split('\n\n').at(-1) ?? '').replaceAll(/\s*\n\s*/g, ' ').trim();
}
