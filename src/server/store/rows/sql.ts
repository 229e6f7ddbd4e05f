/** A row as a driver returns it. Times are ISO text in SQLite and Dates in PostgreSQL; `new Date` takes both. */
export type Row = Record<string, unknown>;

/** `$1` is the first value, in both databases. */
export type Query = (
  text: string,
  values?: readonly unknown[],
) => Promise<{ rows: Row[]; rowCount: number | null }>;

/** What the queries that both databases share need of a database. */
export interface Sql {
  query: Query;
  /** Converts a moment to the clock by which leases are written: the database's own, where several servers share it. */
  toDatabaseTime(at: Date): Promise<Date>;
  dialect: Dialect;
  /** All that `work` asks by its own query is done, or nothing. */
  inTransaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
}

export interface Dialect {
  /** SQLite has no booleans and finds a partial index only by the literal in its definition. */
  yes: 'true' | '1';
  no: 'false' | '0';
  /** Whether a column has one of the values in a list. */
  isOneOf(column: string, list: `$${number}`): string;
  /** What two servers claim at once: each gets others. SQLite has one writer. */
  skipLocked: 'FOR UPDATE SKIP LOCKED' | '';
  /** A join that begins with the left table. SQLite's planner would otherwise begin with the larger one. */
  joinInOrder: 'JOIN' | 'CROSS JOIN';
  /** The rows that a list of {@link SubmissionJob} in JSON is, with the columns kind, name, due_at, rank, attempts and error. */
  readJobs(list: string): string;
  /** The jobs of a submission as such a list. */
  writeJobs(submission: string): string;
  /** The greater of two values. */
  greatest: 'greatest' | 'max';
  /** The rows that a list of {@link Count} in JSON is. */
  countsIn(list: string): { from: string; column: (name: string) => string };
  /** What is selected is changed next, in the same transaction. SQLite has one writer. */
  forUpdate: 'FOR UPDATE' | '';
  /** A column by which rows are sorted after they were found. SQLite would otherwise read the whole index for the order. */
  sortOnly(column: string): string;
}
