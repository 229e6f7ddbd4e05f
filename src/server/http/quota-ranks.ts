import type { HourlyRank } from '../submissions/quota.ts';

/** A flood that goes on has one first an hour, and the people of a refuge are the first again an hour later. */
const windowMs = 60 * 60_000;

interface Window {
  count: number;
  endsAt: number;
}

export interface SenderRanks {
  take(name: string): HourlyRank;
}

/**
 * Counts the forms of each sender, so that their mail can go out by turns. In memory alone, under names that die with the
 * process: the store gets the number. Several servers each count for themselves, so a sender has a first at each.
 */
export function createSenderRanks(clock: () => number, most: number): SenderRanks {
  const windows = new Map<string, Window>();
  return {
    take(name) {
      let window = windows.get(name);
      if (!window || window.endsAt <= clock()) window = { count: 0, endsAt: clock() + windowMs };
      window.count++;
      // Deleted first, so that the one that sent nothing for longest is the first in the map.
      windows.delete(name);
      windows.set(name, window);
      if (windows.size > most) windows.delete(windows.keys().next().value ?? '');
      const { count: rank } = window;
      return { rank, release: () => void window.count-- };
    },
  };
}
