import type { FormName } from '../../model/form-field.ts';

/** How much one client may send in a time window. docs/decisions/0045 has the reasons. */

const minuteMs = 60_000;
const windowMs = 10 * minuteMs;

/**
 * By address. A whole library, refuge or mobile network may share one, so no quota prevents a form from being
 * sent: forms that fail the bot check are counted separately from forms that pass, and those that pass are only flagged.
 */
const quotas = {
  /** Forms that did not pass the bot check. Beyond the quota the client is told to wait. */
  junk: { windowMs, most: 60 },
  /** Forms that were stored. Beyond the quota they are stored and flagged. */
  stored: { windowMs, most: 60 },
  /** Forms without a script that are mailed one by one. Beyond the quota they are mailed together. */
  noScript: { windowMs, most: 10 },
  /** Everything to /graphql. Sixty people who send a form, each with the four tries of a bad signal, need 240. */
  graphql: { windowMs, most: 600 },
  /** Challenges. Beyond the quota they are harder. Each is new: of two visitors with the same one, only the first could use it. */
  challenges: { windowMs, most: 240 },
  /** Forms of the last hour. Mail is ordered by a form's number in it: a client that floods has one first form an hour. */
  ranks: { windowMs: 60 * minuteMs, most: Number.POSITIVE_INFINITY },
} as const;
type QuotaName = keyof typeof quotas;
/** Quotas that a client can see the end of, because the response then differs. */
const visibleQuotas: ReadonlySet<QuotaName> = new Set(['junk', 'graphql', 'challenges']);

interface Window {
  counted: number;
  most: number;
  endsAt: number;
}

/** What is remembered of a client, in memory, for minutes. */
export interface CountedClient {
  /** How many visitors share this client, and so how many times the quota it has. */
  readonly weight: number;
  windows: Partial<Record<QuotaName, Window>>;
}

/** What the client of a request may still send. */
export interface ClientQuota {
  /** Counts a form that did not pass the bot check. Returns null, or beyond the quota the seconds to wait. */
  countJunk(): number | null;
  /** Whether more forms were stored than the people at one address send. */
  hasSentMany(): boolean;
  /** Counts a form that was stored. A resend does not count. */
  countStored(): void;
  /** Counts a form without a script. `alone`: it is mailed at once. `held`: its mail waits for the next digest. */
  countNoScript(): 'alone' | 'held';
  /** Counts a form that is about to be stored. */
  takeRank(): HourlyRank;
  /** Whether the canary sent exactly these answers, by a mark that only this site can make. */
  isCanary?(form: FormName, entries: readonly { key: string; value: unknown }[]): boolean;
}

/** The number of the form among its client's within the hour, from 1. All that the store learns about a client. */
interface HourlyRank {
  rank: number;
  /** Takes the number back, because the form was not stored. */
  release(): void;
}

/** For the canary, which neither uses up the quota of its address nor is refused for what others send from there. */
export const unlimitedQuota: ClientQuota = {
  countJunk: () => null,
  hasSentMany: () => false,
  countStored: () => {},
  countNoScript: () => 'alone',
  takeRank: () => ({ rank: 1, release: () => {} }),
};

/**
 * @param clock milliseconds of a monotonic clock: when the time of day is set back, a window would last for days.
 * @param random from 0 to 1.
 */
export function createQuotas(clock: () => number, random: () => number) {
  /**
   * A visible quota is made larger by a random part, up to one half, in each window. Otherwise a client could use all but
   * one of the quota of a shared address, and the first refusal would show that somebody else was here.
   */
  const drawQuota = (name: QuotaName) =>
    visibleQuotas.has(name) ? Math.round(quotas[name].most * (1 + random() / 2)) : quotas[name].most;

  function windowOf(client: CountedClient, name: QuotaName): Window {
    const now = clock();
    let window = client.windows[name];
    if (!window || window.endsAt <= now) {
      window = { counted: 0, most: drawQuota(name) * client.weight, endsAt: now + quotas[name].windowMs };
      client.windows[name] = window;
    }
    return window;
  }

  const isUsedUp = ({ counted, most }: Window) => counted >= most;

  /** Counts one and returns null. Where the quota is used up: the seconds until its window ends. */
  function count(client: CountedClient, name: QuotaName): number | null {
    const window = windowOf(client, name);
    if (isUsedUp(window)) return Math.ceil((window.endsAt - clock()) / 1_000);
    window.counted++;
    return null;
  }

  return {
    count,

    /** @param find the client, which may have been forgotten since the last call. */
    quotaOf: (find: () => CountedClient): ClientQuota => ({
      countJunk: () => count(find(), 'junk'),
      hasSentMany: () => isUsedUp(windowOf(find(), 'stored')),
      countStored: () => void count(find(), 'stored'),
      countNoScript: () => (count(find(), 'noScript') === null ? 'alone' : 'held'),
      takeRank() {
        const window = windowOf(find(), 'ranks');
        window.counted++;
        return { rank: window.counted, release: () => void window.counted-- };
      },
    }),
  };
}
