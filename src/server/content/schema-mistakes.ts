import { isCollection, isMap, isNode, isScalar } from 'yaml';
import { z } from 'zod';
import { nearestWord } from './nearest-word.ts';
import type { Mistake, ParsedYaml } from './yaml-mistakes.ts';

/** Explains what the schema finds wrong: one sentence for each mistake, and none for a mistake that follows from another. */

export interface LocatedMistake extends Mistake {
  line: number;
}

/** Messages for schemas that have none of their own. */
export const defaultMessages: z.core.$ZodErrorMap = (issue) => {
  const expected = issue.code === 'invalid_type' ? issue.expected : '';
  const words: Record<string, string> = {
    object: 'expected lines of its own below it, each two spaces further right',
    record: 'expected lines of its own below it, each two spaces further right',
    array: 'expected a list: lines below it that begin with - and a space',
    string: 'expected words',
    boolean: 'expected true or false',
    number: 'expected a number',
  };
  return words[expected] ?? 'is not what belongs here';
};

export function explainIssues(issues: z.core.$ZodIssue[], written: ParsedYaml, schema: z.ZodType): Mistake[] {
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [],
  );
  const others = issues.filter(({ code }) => code !== 'unrecognized_keys');
  // The defaults may fill an empty block, so that the schema finds nothing wrong with it.
  const empty = unknown.flatMap((path) => findEmptyBeside(path, written));
  const parents = [...others.map(({ path }) => path), ...empty];
  const misplaced = parents
    .filter((path, index) => parents.findIndex((one) => isSame(one, path)) === index)
    .flatMap((path) => findMisplaced(path, unknown, written, schema));
  const misspelt = unknown
    .filter((path) => !misplaced.some(({ moved }) => moved.some((one) => isSame(one, path))))
    .map((path) => explainUnknown(path, written, schema));
  const explained = others
    .filter(({ path }) => !misplaced.some((one) => isSame(one.parent, path)))
    .filter(({ path }) => !misspelt.some(({ meant }) => meant && isSame(meant, path)))
    .map((issue) => explainIssue(issue, written));
  return [...misplaced, ...misspelt, ...explained]
    .map(({ line, message }) => ({ line, message }))
    .toSorted((a, b) => a.line - b.line);
}

function explainIssue(issue: z.core.$ZodIssue, written: ParsedYaml): LocatedMistake {
  const { document } = written;
  const { path } = issue;
  const expected = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  const node = document.getIn(path, true);
  const say = (what: string) => mistakeAt(written, path, what);

  if (isScalar(node) && typeof node.value === 'string' && curlyQuotes.test(node.value))
    return say(straighten);
  if (path.length === 0 && document.contents === null) return say('is empty');
  if (!document.hasIn(path)) return say(`is missing: ${expected}`);
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_union') return say(expected);
  if (isScalar(node) && node.value === null) return say(`is empty: ${expected}`);
  if (path.length === 0) return say(expected.startsWith('expected a list of') ? expected : notSettings);
  const wantsWords = issue.code === 'invalid_union' || issue.expected === 'string';
  if (!wantsWords) return say(expected);
  if (isCollection(node) && node.flow && issue.code === 'invalid_type')
    return say(`words that begin with ${isMap(node) ? '{' : '['} need quotes around them`);
  if (isMap(node) && !node.flow && String(node.items[0]?.key).includes(' '))
    return say('has a colon in a sentence: put quotes around all of it');
  if (isScalar(node) && typeof node.value !== 'string' && !expected.includes('quotes'))
    return say(`${expected}: put quotes around it`);
  return say(expected);
}

/** A word processor turns straight quotes into these. Inside a sentence they are right, and cause no mistake. */
const curlyQuotes = /^[“”„‟‘’‚«»].*[“”„‟‘’‚«»]$/su;
const straighten =
  'has curly quotes (“ ”) around it, which do not count as quotes here: write straight ones (") in their place';

const notSettings = 'cannot be understood: each line is a word, a colon, a space and what it says';

function explainUnknown(path: PropertyKey[], written: ParsedYaml, schema: z.ZodType) {
  const parent = path.slice(0, -1);
  const free = keysAt(schema, parent).filter((key) => !written.document.hasIn([...parent, key]));
  const near = nearestWord(String(path.at(-1)), free);
  const what =
    near === undefined ? 'is not a word that belongs here' : `is not known here: is ${near} meant?`;
  return { ...mistakeAt(written, path, what), meant: near === undefined ? undefined : [...parent, near] };
}

function findEmptyBeside(path: PropertyKey[], { document }: ParsedYaml): PropertyKey[][] {
  const around = path.slice(0, -1);
  const map = around.length === 0 ? document.contents : document.getIn(around, true);
  if (!isMap(map)) return [];
  return map.items.flatMap(({ key, value }) =>
    isScalar(value) && value.value === null ? [[...around, String(key)]] : [],
  );
}

/**
 * Lines that are not indented under the line they belong to: that line is then empty, and the lines themselves are not
 * known where they are.
 */
function findMisplaced(
  parent: PropertyKey[],
  unknown: PropertyKey[][],
  written: ParsedYaml,
  schema: z.ZodType,
) {
  const node = written.document.getIn(parent, true);
  if (parent.length === 0 || !isScalar(node) || node.value !== null) return [];
  const inside = keysAt(schema, parent);
  const around = parent.slice(0, -1);
  const moved = unknown.filter(
    (path) => isSame(path.slice(0, -1), around) && inside.includes(String(path.at(-1))),
  );
  const [first] = moved;
  if (!first) return [];
  const what = `belongs to ${String(parent.at(-1))}: move it, and the lines that go with it, two spaces to the right`;
  return [{ parent, moved, ...mistakeAt(written, first, what) }];
}

/** The keys that the schema has at a path. */
function keysAt(schema: z.core.$ZodType, path: PropertyKey[]): string[] {
  const [next, ...rest] = path;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return keysAt(schema.unwrap(), path);
  if (schema instanceof z.ZodPipe) return keysAt(schema.in, path);
  if (schema instanceof z.ZodUnion) return [...new Set(schema.options.flatMap((one) => keysAt(one, path)))];
  if (schema instanceof z.ZodArray) return next === undefined ? [] : keysAt(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  if (next === undefined) return Object.keys(schema.shape);
  const inner = schema.shape[String(next)];
  return inner ? keysAt(inner, rest) : [];
}

const isSame = (one: PropertyKey[], other: PropertyKey[]): boolean =>
  one.length === other.length && one.every((part, index) => part === other[index]);

/** A mistake whose message names the path, with its line. */
export function mistakeAt(written: ParsedYaml, path: PropertyKey[], what: string): LocatedMistake {
  const where = path.map((part) => (typeof part === 'number' ? `#${part + 1}` : String(part))).join(' › ');
  return { line: lineOf(written, path), message: where ? `${where}: ${what}` : what };
}

/** The line of the node a path leads to, or of its nearest parent where the node itself is missing. */
function lineOf({ document, lines }: ParsedYaml, path: PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const last = String(path[length - 1]);
    const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === last) : undefined;
    for (const node of [pair?.key, document.getIn(path.slice(0, length), true)])
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
