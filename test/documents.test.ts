import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The documents of today. Decision records tell of their own time. */
const documents = [...globSync('*.md'), ...globSync('docs/*.md')].filter((path) => path !== 'CHANGELOG.md');

const files = globSync('{bin,build,src,test,bench,content,deploy,docs,scripts}/**/*', {
  exclude: ['**/node_modules/**'],
}).map((path) => `/${path}`);
/** A document may leave the first folders out: `store/rows/` is in `src/server/`. */
const isThere = (path: string) =>
  path.includes('*')
    ? globSync([path, `**/${path}`], { exclude: ['node_modules/**'] }).length > 0
    : files.some((file) => (path.endsWith('/') ? file.includes(`/${path}`) : file.endsWith(`/${path}`)));

/** Every source file, wherever it stands, and every folder and file of the project in backquotes. */
function namedIn(document: string): string[] {
  const text = readFileSync(document, 'utf8');
  // Elsewhere `data/` is a folder of a site.
  const folders = document === 'ARCHITECTURE.md' ? text.matchAll(/`([\w-]+(?:\/[\w-]+)*\/)`/g) : [];
  const quoted = text.matchAll(/`((?:src|test|bench|build|deploy|scripts)\/[\w./*-]+)`/g);
  const records = text.matchAll(/docs\/decisions\/(\d{4})/g);
  return [
    ...(text.match(/(?<![\w./*-])[\w./*-]*\w\.tsx?\b/g) ?? []),
    ...[...folders, ...quoted].map(([, path = '']) => path),
    ...[...records].map(([, number]) => `docs/decisions/${number}-*.md`),
  ];
}

test('what ARCHITECTURE names is seen', () => {
  expect(new Set(namedIn('ARCHITECTURE.md')).size).toBeGreaterThan(60);
  expect(['src/server/main.ts', 'store/rows/', 'nowhere.ts', 'store/nowhere/'].map(isThere)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test.each(documents)('every file of the project that %s names is there', (document) => {
  expect(namedIn(document).filter((path) => !isThere(path))).toEqual([]);
});
