/** Imported before anything else, in every thread: lies to the store about `synchronous`, to show what that would cost. */
import { DatabaseSync } from 'node:sqlite';

const { exec, prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  exec.call(this, sql.replace('synchronous = FULL', 'synchronous = OFF'));
};
DatabaseSync.prototype.prepare = function (sql, ...rest) {
  return prepare.call(this, sql === 'PRAGMA synchronous' ? 'SELECT 2' : sql, ...rest);
};
