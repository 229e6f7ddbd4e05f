import { fill } from '../../model/phrase.ts';
import type { Site } from '../../model/site.ts';

export interface Retention {
  retentionDays: number;
  /** Null with REMINDERS=off. */
  unseenRetentionDays: number | null;
}

/** The privacy notice with the days of the settings, so that it promises what the server does. */
export function describeRetention(site: Site, { retentionDays, unseenRetentionDays }: Retention): Site {
  const days = {
    retentionDays: String(retentionDays),
    unseenRetentionDays: unseenRetentionDays === null ? undefined : String(unseenRetentionDays),
  };
  const { seen, sent } = site.deletedText;
  const deleted = fill(unseenRetentionDays === null ? sent : seen, days);
  const sentences = Object.entries(site.privacy).map(([name, phrase]) => [
    name,
    fill(phrase, { deleted, ...days }),
  ]);
  return { ...site, privacy: Object.fromEntries(sentences) };
}
