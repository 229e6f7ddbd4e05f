/**
 * What a move has brought and nobody may send yet. It ends by itself, as any lease does, within the time that a lease is
 * believed in. Servers lease by the millisecond: what is behind that tells these leases from theirs.
 */
const minutes = 25;
const mark = 777;

/** As SQL: the lease where it is to have one. `wanted` is a boolean. */
export const moveLease = (wanted: string) =>
  `CASE WHEN ${wanted}::boolean THEN date_trunc('milliseconds', now() + interval '${minutes} minutes') + interval '${mark} microseconds' END`;

export const isMoveLease = `extract(microseconds FROM leased_until)::integer % 1000 = ${mark}`;
