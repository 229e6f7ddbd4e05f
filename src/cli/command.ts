/** One subcommand of `awhina`. */
export interface Command {
  /** What it does, for the list of commands. */
  summary: string;
  /** Everything there is to know about using it. */
  usage: string;
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
