/** As {@link toRow} writes the verdict on a form of which there is no doubt. */
const clean = JSON.stringify({ kind: 'clean' });
export const isClean = (verdict: string): boolean => verdict === clean;
export const doubtful = `s.verdict <> '${clean}'`;
/** As it writes that the field which people do not see was filled in. */
export const trapped = `s.verdict LIKE '%"trap"%'`;
/** What comes first in either order comes first, in turns: neither hides what the other begins with. */
export const inTurns = (one: string, other: string): string => {
  const [a, b] = [one, other].map((order) => `row_number() OVER (ORDER BY ${order})`);
  // Twice the smaller one, in both databases.
  return `${a} + ${b} - abs(${a} - ${b}), ${one}`;
};
/** A server has one of its jobs: it mails or transfers it. */
export const isBusy = (now: string, plausible: string) => `EXISTS (
  SELECT 1 FROM jobs WHERE jobs.submission = submissions.id AND leased_until > ${now} AND leased_until <= ${plausible})`;
/** By $n, or by a clock that was far ahead: it would seem to come in for months. */
export const cameInBy = (until: string, plausible: string) =>
  `(s.received_at <= ${until} OR s.received_at > ${plausible})`;
