import { StoreUnfit } from '../contract/errors.ts';

/** How far a database is migrated. */
export interface SchemaVersion {
  version: number;
  /** Code that knows the migrations up to this one can use the database. Null where the database does not say: then only its own version can. */
  oldest: number | null;
}

/**
 * Only the server migrates; the command, perhaps of a newer version, runs beside it. A process that finds migrations it does
 * not know leaves the database alone, unless `oldest` says that its version can use it.
 *
 * @throws {StoreUnfit} in one sentence, before anything was changed
 */
export function checkSchema({ version, oldest }: SchemaVersion, known: number, migrates: boolean): void {
  if (version > known && (oldest ?? version) > known) {
    throw new StoreUnfit(
      'The database belongs to a newer version of Āwhina than this one. Nothing was changed: start that version, or put back the copy that was made before the upgrade (docs/upgrading.md).',
    );
  }
  if (version < known && !migrates) {
    throw new StoreUnfit(
      'The database is not of this version yet. Nothing was changed: start the server of this version first, which brings it up to date, or use the command of the version that runs.',
    );
  }
}
