import type { CountRow } from './counts.ts';

/** A whole submission that is transferred. Only the two databases know its other fields. */
export interface Transferable {
  reference: string;
}

/** A database that submissions are transferred out of. */
export interface TransferSource<Row extends Transferable> {
  countAll(): Promise<number>;
  /** Leases submissions that nobody is sending, delivered or not: they are not sent from here until the lease ends. */
  claimForTransfer(now: Date, limit: number, leasedUntil: Date): Promise<Row[]>;
  /** Deletes the submissions whose lease is still the one of this claim and has not ended, and that were not followed up since. */
  dropTransferred(rows: readonly Row[], leasedUntil: Date, now: Date): Promise<void>;
  /** All counts so far. Nothing is added to them any more; they stay until they are dropped. */
  claimCounts(): Promise<CountRow[]>;
  dropCounts(origins: readonly string[]): Promise<void>;
}

/** A database that submissions are transferred into. */
export interface TransferTarget<Row extends Transferable> {
  /** Stores each submission once, however often it is brought. Resolves to how many were not here before. */
  importRows(rows: readonly Row[]): Promise<number>;
}
