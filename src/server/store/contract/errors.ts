/** The database must not be used: it could lose what it acknowledges, or belongs to another version. The message is for the person who runs the site. */
export class StoreUnfit extends Error {
  override name = 'StoreUnfit';
}

/** The database could not be asked just now; the same call may work in a moment. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
  /** What is wrong, in words that anyone may read. */
  readonly problem: string;
  /** The connection was lost during the COMMIT, so that the write may have happened. */
  readonly mayBeStored: boolean;
  constructor(
    message: string,
    { problem, mayBeStored, ...options }: ErrorOptions & { problem?: string; mayBeStored?: boolean } = {},
  ) {
    super(message, options);
    this.problem = problem ?? 'the database cannot be reached';
    this.mayBeStored = mayBeStored ?? false;
  }
}

/** A handler for `catch` that resolves to `value`, where another database answers too or the next run asks again. */
export const ignoreUnavailable =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof StoreUnavailable) return value;
    throw error;
  };
