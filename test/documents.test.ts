import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The documents of today. Decision records tell of their own time. */
const documents = [...globSync('*.md'), ...globSync('docs/*.md')].filter((path) => path !== 'CHANGELOG.md');

test.each(documents)('every file of the project that %s names is there', (document) => {
  const text = readFileSync(document, 'utf8');
  const named = [...text.matchAll(/`((?:src|test|bench|deploy|scripts)\/[\w./*-]+)`/g)].map(
    ([, path = '']) => path,
  );
  const records = [...text.matchAll(/docs\/decisions\/(\d{4})/g)].map(
    ([, number]) => `docs/decisions/${number}-*.md`,
  );
  expect([...named, ...records].filter((path) => globSync(path).length === 0)).toEqual([]);
});
