import { globSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { readDefinition, readEntries, readVerdict } from './stored-text.ts';

test.each(globSync('test/older-databases/*.sql'))('nothing in %s is taken for damaged', (path) => {
  using db = new DatabaseSync(':memory:');
  db.exec(readFileSync(path, 'utf8'));
  const forms = db.prepare('SELECT definition FROM definitions').all();
  const submissions = db.prepare('SELECT answers, verdict FROM submissions').all();
  expect(forms.length * submissions.length).toBeGreaterThan(0);
  for (const { definition } of forms) expect(readDefinition(definition), `${definition}`).not.toBeNull();
  for (const { answers, verdict } of submissions) {
    if (answers !== null) expect(readEntries(answers), `${answers}`).not.toBeNull();
    expect(readVerdict(verdict), `${verdict}`).not.toBeNull();
  }
});
