/** Imported before anything else, in every thread: sets `synchronous` to OFF behind the store's back, to show what that loses. */
import { DatabaseSync } from 'node:sqlite';

const { exec, prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  exec.call(this, sql.replace('synchronous = FULL', 'synchronous = OFF'));
};
DatabaseSync.prototype.prepare = function (sql, ...rest) {
  return prepare.call(this, sql === 'PRAGMA synchronous' ? 'SELECT 2' : sql, ...rest);
};
