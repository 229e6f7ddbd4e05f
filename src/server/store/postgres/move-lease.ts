/**
 * The lease of submissions that a move has brought and that nobody may mail yet. It ends within the time for which a lease
 * is plausible. Servers write leases in whole milliseconds; 777 microseconds distinguish the leases of a move (docs/decisions/0118).
 */
const minutes = 25;
const microseconds = 777;

/** SQL for the lease, or NULL where the boolean `wanted` is false. */
export const moveLease = (wanted: string) =>
  `CASE WHEN ${wanted}::boolean THEN date_trunc('milliseconds', now() + interval '${minutes} minutes') + interval '${microseconds} microseconds' END`;

export const isMoveLease = `extract(microseconds FROM leased_until)::integer % 1000 = ${microseconds}`;
