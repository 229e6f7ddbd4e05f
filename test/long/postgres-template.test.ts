import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { refuseForeign } from '../support/postgres-template.ts';
import { temporaryFolder } from '../support/temporary.ts';

test('a PostgreSQL template of another user is refused in a sentence that says what to do', () => {
  const template = temporaryFolder();
  const { uid } = statSync(template);
  expect(() => refuseForeign(template, uid)).not.toThrow();
  expect(() => refuseForeign(template, uid + 1)).toThrow(`Delete it: the next run makes it again.`);
});
