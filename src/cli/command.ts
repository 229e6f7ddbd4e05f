/** One subcommand of `awhina`. */
export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** The text of `awhina help COMMAND`. */
  usage: string;
  /**
   * Set where the command writes to DATA_DIR, or checks whether the server could: run by root, it becomes the owner of
   * DATA_DIR first. A command can stay root that only reads, or writes through SQLite, which gives its files to the owner of
   * the database.
   */
  asOwner?: true;
  /** Resolves with the exit code: 0, or 1 where the command could not do what was asked. */
  run(args: string[]): Promise<number>;
}

/** The command was used wrongly: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command could not do what was asked; the message is shown without a stack: exit code 1. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
}

/** Ctrl-C at a question: exit code 130, as in a shell. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

/** @throws {UsageError} with this message, unless exactly one argument was given */
export function onlyOne(positionals: readonly string[], message: string): string {
  const [one, ...more] = positionals;
  if (one === undefined || more.length > 0) throw new UsageError(message);
  return one;
}
