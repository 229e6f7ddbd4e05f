import { readFileSync } from 'node:fs';
import { parseAst } from 'vite';

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}
const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

/**
 * Where a file could make code from text: by name (`eval`, `Function`), by a function's own constructor, by node:vm,
 * by a thread or a module whose source it puts together. Timers take no text in Node.
 */
export function findGeneratingCode(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  const found: string[] = [];
  const visit = (node: SyntaxNode, parent: SyntaxNode | null, key: string): void => {
    if (generates(node, parent, key))
      found.push(source.slice(node.start, (parent ?? node).end).split('\n')[0] ?? '');
    for (const [name, value] of Object.entries(node)) {
      for (const child of [value].flat()) if (isNode(child)) visit(child, node, name);
    }
  };
  visit(parse(file, source), null, '');
  return found;
}

function parse(file: string, source: string): SyntaxNode {
  if (file.endsWith('ts')) return parseAst(source, { lang: 'ts' }) as never;
  try {
    return parseAst(source, { lang: 'js' }) as never;
  } catch {
    return parseAst(source, { lang: 'js', sourceType: 'commonjs' } as never) as never;
  }
}

function generates(node: SyntaxNode, parent: SyntaxNode | null, key: string): boolean {
  switch (node.type) {
    case 'Identifier':
      return (node.name === 'Function' || node.name === 'eval') && isReference(parent, key);
    case 'Literal':
      return /^(node:)?(vm|repl|inspector(\/promises)?)$/.test(String(node.value)) && isModuleName(parent);
    case 'MemberExpression': {
      const name = nameOf(node);
      if (name === 'constructor')
        return isCalled(parent, key) && (node.object as SyntaxNode).type !== 'ThisExpression';
      if (name === 'Function' || name === 'eval') return isGlobal(node.object as SyntaxNode);
      return ['_compile', 'runInThisContext', 'runInNewContext', 'compileFunction'].includes(name);
    }
    case 'ImportExpression':
      return (node.source as SyntaxNode).type !== 'Literal';
    case 'Property':
      // new Worker(source, { eval: true })
      return nameOf({ ...node, property: node.key }) === 'eval' && (node.value as SyntaxNode).value === true;
    default:
      return false;
  }
}

/** The name itself, and not `x.eval`, a key, a type, or what a test of a kind (`instanceof Function`) says. */
function isReference(parent: SyntaxNode | null, key: string): boolean {
  if (!parent || parent.type.startsWith('TS')) return false;
  if (parent.type === 'MemberExpression' && !parent.computed && key === 'property') return false;
  if (parent.type === 'MemberExpression' && key === 'object' && nameOf(parent) === 'prototype') return false;
  if (/^(Property|MethodDefinition|PropertyDefinition)$/.test(parent.type) && key === 'key')
    return Boolean(parent.computed);
  return !(parent.type === 'BinaryExpression' && parent.operator === 'instanceof');
}

const isGlobal = ({ type, name }: SyntaxNode) =>
  type === 'Identifier' && /^(globalThis|global|window|self)$/.test(String(name));

const isCalled = (parent: SyntaxNode | null, key: string) =>
  /^(Call|New)Expression$/.test(parent?.type ?? '') && key === 'callee';

const isModuleName = (parent: SyntaxNode | null) =>
  /^(ImportDeclaration|ImportExpression|CallExpression|Export\w+Declaration)$/.test(parent?.type ?? '');

const nameOf = ({ property, computed }: SyntaxNode): string => {
  const { name, value } = property as SyntaxNode;
  return String(computed ? value : (name ?? value));
};
