import { type Node, parse } from 'acorn';
import { fullAncestor } from 'acorn-walk';

/**
 * What a script uses that Chrome 87, Firefox 100 or Safari 15.4 does not know, each once. What it asks for before it uses
 * it (`typeof`, `?.`, `&&`, or in a `try`) is left out.
 */
export function tooNewInScript(text: string, isModule: boolean): string[] {
  const found = new Set<string>();
  // Of ES2022 they know the class fields, but neither static blocks nor `await` outside of a function.
  const program = parse(text, {
    ecmaVersion: 2022,
    sourceType: isModule ? 'module' : 'script',
  });
  fullAncestor(program, (node, _state, ancestors) => {
    const around = (ancestors as AnyNode[]).slice(0, -1);
    if (node.type === 'AwaitExpression' && !around.some(({ type }) => type.includes('Function')))
      found.add('await at the top');
    for (const { what, name } of newIn(node as AnyNode)) {
      if (!name || !isAskedFor(name, node, around, text)) found.add(what);
    }
  });
  return [...found].toSorted();
}

/** With the properties looked at here, of whichever kind it is. */
type AnyNode = Node & {
  name?: string;
  computed?: boolean;
  optional?: boolean;
  operator?: string;
  value?: unknown;
  regex?: { pattern: string; flags: string };
  left?: AnyNode;
  test?: AnyNode;
  block?: AnyNode;
  object?: AnyNode;
  property?: AnyNode;
  callee?: AnyNode;
  arguments?: AnyNode[];
  properties?: { key?: AnyNode }[];
};

interface Finding {
  what: string;
  /** Where a script may ask whether it is there. Syntax it can only do without. */
  name?: string;
}

/** By their names alone, whatever they are called on. Beside them the version that some of the three still lack. */
const methods: Record<string, string> = {
  at: 'Chrome 92',
  checkVisibility: 'Safari 17.4',
  findLast: 'Chrome 97',
  findLastIndex: 'Chrome 97',
  fromAsync: 'Chrome 121',
  groupBy: 'Chrome 117',
  hasOwn: 'Chrome 93',
  isWellFormed: 'Chrome 111',
  randomUUID: 'Chrome 92',
  showPicker: 'Safari 16',
  showPopover: 'Chrome 114',
  startViewTransition: 'Chrome 111',
  toReversed: 'Chrome 110',
  toSorted: 'Chrome 110',
  toSpliced: 'Chrome 110',
  withResolvers: 'Chrome 119',
};

/** Of one object only, because others have had a method of that name for long. */
const methodsOf: Record<string, readonly string[]> = {
  AbortSignal: ['any', 'timeout'],
  Promise: ['try'],
  URL: ['canParse', 'parse'],
};

const globals = [
  'cookieStore',
  'Iterator',
  'navigation',
  'reportError',
  'requestIdleCallback',
  'scheduler',
  'structuredClone',
  'trustedTypes',
];

function* newIn(node: AnyNode): Generator<Finding> {
  switch (node.type) {
    case 'StaticBlock':
      yield { what: 'a static block' };
      break;
    case 'BinaryExpression':
      if (node.operator === 'in' && node.left?.type === 'PrivateIdentifier') yield { what: '#private in' };
      break;
    case 'Identifier':
      if (globals.includes(node.name ?? '')) yield { what: node.name ?? '', name: node.name ?? '' };
      break;
    case 'MemberExpression':
      yield* newMember(node);
      break;
    case 'CallExpression':
    case 'NewExpression':
      yield* newCall(node);
      break;
    case 'Literal':
      if (node.regex) yield* newInPattern(node.regex.pattern, node.regex.flags);
      else if (typeof node.value === 'string') yield* newInPattern(node.value);
      break;
    case 'TemplateElement':
      yield* newInPattern((node.value as { raw: string }).raw);
      break;
  }
}

function* newMember({ computed, object, property }: AnyNode): Generator<Finding> {
  const name = computed ? '' : (property?.name ?? '');
  if (Object.hasOwn(methods, name)) yield { what: `.${name}`, name };
  if (methodsOf[object?.name ?? '']?.includes(name)) yield { what: `${object?.name}.${name}`, name };
  if (globals.includes(name)) yield { what: name, name };
}

function* newCall({ callee, arguments: given = [] }: AnyNode): Generator<Finding> {
  const called = callee?.property?.name ?? callee?.name;
  const names = given[2]?.properties?.map(({ key }) => key?.name) ?? [];
  // Chrome 88: before, what should stop listening goes on.
  if (called === 'addEventListener' && names.includes('signal'))
    yield { what: 'addEventListener({ signal })' };
  // Firefox 114.
  if (called === 'Worker' && JSON.stringify(given[1] ?? '').includes('module'))
    yield { what: 'a module worker' };
}

function* newInPattern(pattern: string, flags = ''): Generator<Finding> {
  // Safari 16.4: before, it is a syntax error.
  if (/\(\?<[=!]/.test(pattern)) yield { what: 'a lookbehind' };
  // Chrome 112 and 90.
  if (/[vd]/.test(flags)) yield { what: `a regular expression with the flags ${flags}` };
}

function isAskedFor(name: string, node: Node, around: AnyNode[], text: string): boolean {
  const says = (part: AnyNode | undefined) =>
    part !== undefined && text.slice(part.start, part.end).includes(name);
  return around.some((one) => {
    if (one.type === 'TryStatement') return says(one.block);
    if (one.type === 'UnaryExpression') return one.operator === 'typeof';
    if (one.type === 'LogicalExpression') return one.operator === '&&' && says(one.left);
    if (one.type === 'MemberExpression') return one.optional === true && one.object === node;
    return (one.type === 'ConditionalExpression' || one.type === 'IfStatement') && says(one.test);
  });
}
