import type { ConnectionBounds } from './connections.ts';

/** More people than this never look at one small site at once; each costs about 30 kB. */
const connectionsAtMost = 5_000;
/** A library full of browsers with six connections each. */
const perAddressAtMost = 256;
/** For the database, pictures, mail, the log and what Node itself has open. */
const reserved = 200;
/** What most systems give a process, where ours does not say. */
const usual = 1_024;

/** As many connections as leave this process enough open files for its own work. */
export function connectionBounds(openFiles = openFileLimit()): ConnectionBounds {
  const spare = Math.max(openFiles - reserved, Math.floor(openFiles / 2));
  const inAll = Math.min(connectionsAtMost, spare);
  return { inAll, perAddress: Math.min(perAddressAtMost, Math.floor(inAll / 4)) };
}

/** How many files, connections included, this process may have open. */
function openFileLimit(): number {
  // Otherwise the report looks up the name of every address this machine talks to.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | 'unlimited' } };
  };
  const soft = report.userLimits?.open_files?.soft ?? usual;
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : soft;
}
