/** One subcommand of `awhina`. */
export interface Command {
  /** What it does, for the list of commands. */
  summary: string;
  /** Everything there is to know about using it. */
  usage: string;
  /**
   * It writes to DATA_DIR, or judges whether the server could: where root runs it, it becomes the owner of DATA_DIR first.
   * What only reads, or writes through SQLite, which gives its files to the owner of the database, can stay root.
   */
  asOwner?: true;
  /** Resolves with the exit code: 0, or 1 where it could not do what was asked. */
  run(args: string[]): Promise<number>;
}

/** The command was used wrongly: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** What was asked cannot be done, for a reason worth saying without a stack: exit code 1. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
}

/** Somebody pressed Ctrl-C at a question: exit code 130, as a shell has it. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}
