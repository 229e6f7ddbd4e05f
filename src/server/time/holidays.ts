/**
 * The public holidays of all New Zealand, a line a year, on the days on which people are off work: a holiday that falls on a
 * weekend moves to a Monday or Tuesday (Holidays Act 2003). Without the anniversary days of the provinces; a trust lists
 * its own under `closed` in site.yaml. holidays.test.ts holds the list against the rules. Matariki has no rule: its days are
 * in the Te Kāhui o Matariki Public Holiday Act 2022. `awhina check` says when the list is about to end.
 */
const years = [
  // New Year, the day after, Waitangi, Good Friday, Easter Monday, Anzac, King's Birthday, Matariki, Labour Day, Christmas, Boxing Day
  '2026 01-01 01-02 02-06 04-03 04-06 04-27 06-01 07-10 10-26 12-25 12-28',
  '2027 01-01 01-04 02-08 03-26 03-29 04-26 06-07 06-25 10-25 12-27 12-28',
  '2028 01-03 01-04 02-07 04-14 04-17 04-25 06-05 07-14 10-23 12-25 12-26',
  '2029 01-01 01-02 02-06 03-30 04-02 04-25 06-04 07-06 10-22 12-25 12-26',
  '2030 01-01 01-02 02-06 04-19 04-22 04-25 06-03 06-21 10-28 12-25 12-26',
  '2031 01-01 01-02 02-06 04-11 04-14 04-25 06-02 07-11 10-27 12-25 12-26',
  '2032 01-01 01-02 02-06 03-26 03-29 04-26 06-07 07-02 10-25 12-27 12-28',
  '2033 01-03 01-04 02-07 04-15 04-18 04-25 06-06 06-24 10-24 12-26 12-27',
  '2034 01-02 01-03 02-06 04-07 04-10 04-25 06-05 07-07 10-23 12-25 12-26',
  '2035 01-01 01-02 02-06 03-23 03-26 04-25 06-04 06-29 10-22 12-25 12-26',
];

/** Days such as '2026-12-25'. */
export const holidays: ReadonlySet<string> = new Set(
  years.flatMap((line) => {
    const [year, ...days] = line.split(' ');
    return days.map((day) => `${year}-${day}`);
  }),
);

/** The last year of which the holidays are known. */
export const lastHolidayYear = Number(years.at(-1)?.slice(0, 4));
