import { expect, test } from 'vitest';
import { connectSqlite } from './connection.ts';

test('a view in a file from elsewhere reads nothing but the file', () => {
  using db = connectSqlite(':memory:');
  db.exec('CREATE VIEW spy AS SELECT * FROM pragma_database_list');
  expect(() => db.prepare('SELECT * FROM spy').all()).toThrow('unsafe use');
});
