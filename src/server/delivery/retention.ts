import { setImmediate } from 'node:timers/promises';
import type { Archive } from '../submissions/archive.ts';
import { eraseMailFiles } from './folder-transport.ts';

export interface RetentionParts {
  archive: Archive;
  /** Where mails were written to, now or before an SMTP server was set. */
  mailFolder: string;
  retentionDays: number;
  now: () => Date;
}

export interface Erased {
  count: number;
  /** False where the database's files still hold what was erased; the next run takes it out. */
  scrubbed: boolean;
}

/** Requests at a time: few enough that a visitor's submission never waits for it. */
const batch = 100;

export function expiry(now: Date, retentionDays: number): Date {
  return new Date(now.getTime() - retentionDays * 24 * 60 * 60_000);
}

/**
 * Erases what was delivered longer ago than the trust keeps it. What was not delivered stays, however old: it is the
 * only copy there is.
 */
export function createRetention({ archive, mailFolder, retentionDays, now }: RetentionParts) {
  /** Whether the database's files may hold something that was erased: at the start nobody knows. */
  let traces = true;

  return async function eraseExpired(): Promise<Erased> {
    const until = expiry(now(), retentionDays);
    let count = 0;
    for (;;) {
      const references = await archive.listDelivered(until, batch);
      if (references.length === 0) break;
      traces = true;
      // Files first: a crash in between leaves the row, and so the next run finds them again.
      await eraseMailFiles(mailFolder, references);
      await archive.eraseSubmissions(references);
      count += references.length;
      await setImmediate();
    }
    if (traces) traces = !(await archive.scrub());
    return { count, scrubbed: !traces };
  };
}
