import { type ContentSource, describeFault } from '../content/content-source.ts';
import { countUnread, describeUnread } from '../delivery/folder/mail-folder.ts';
import { findDeliveryProblems } from '../delivery/notices/delivery-problems.ts';
import { findOpenWarning, findUrgentWarning } from '../delivery/reminders/open-words.ts';
import { findLosses } from '../erasure/losses.ts';
import { findSpaceProblem } from '../files/free-space.ts';
import type { HealthParts } from '../http/health.ts';
import type { Pages } from '../pages/pages.ts';
import type { SelfChecks } from '../self-checks/self-checks.ts';
import type { Settings } from '../settings/settings.ts';
import type { Archive } from '../store/contract/archive.ts';
import type { DeliveryQueue } from '../store/contract/delivery-queue.ts';
import type { FollowUps } from '../store/contract/follow-ups.ts';
import type { StoreWithFallback } from '../store/fallback/store-with-fallback.ts';
import type { StoreHealth } from '../submissions/store-health.ts';
import { type ClockFault, describeClockFault } from '../time/clock-trust.ts';

interface SiteHealthParts {
  storeHealth: StoreHealth;
  /** With two databases: whether the shared one is away, and whether this machine holds requests that it does not have yet. */
  store: DeliveryQueue &
    Pick<FollowUps, 'summariseOpen'> &
    Pick<Archive, 'listLosses'> &
    Partial<Pick<StoreWithFallback, 'isAway' | 'holdsSubmissions'>>;
  dataDir: string;
  /** The folder of mails, where there is no mail server. */
  mailFolder: string;
  clockFault: () => ClockFault | null;
  content: Pick<ContentSource, 'fault' | 'current'>;
  /** Null: staff do not say what they have answered. */
  reminders: Settings['reminders'];
  pages: Pick<Pages, 'areOutdated'>;
  selfChecks: Pick<SelfChecks, 'problems' | 'warnings' | 'staffProblems'>;
  findRefusalProblem: () => string | null;
  alertWorker?: { findWarning(): Promise<string | null> } | undefined;
  now: () => Date;
}

const withoutNulls = (found: readonly (string | null)[]) => found.filter((one) => one !== null);

const outdatedPages = 'the pages could not be rendered anew, so older ones are shown: the log says where';

/** What /health/ready and /health/deliveries say. */
export function createSiteHealth(parts: SiteHealthParts): HealthParts {
  const { storeHealth, store, dataDir, mailFolder, clockFault, content, pages, selfChecks, now } = parts;

  async function findOpen(): Promise<string[]> {
    if (!parts.reminders) return [];
    const { site, remindAfter } = content.current();
    const open = await store.summariseOpen().catch(() => []);
    const late = findOpenWarning(open, remindAfter, site.closed, now());
    return withoutNulls([findUrgentWarning(open), late]);
  }

  return {
    async ready() {
      const problem = await storeHealth.findProblem();
      const [wrongClock, badContent] = [clockFault(), content.fault()];
      const warnings = [
        store.isAway ? 'PostgreSQL is away: requests are kept on this machine until it is back' : null,
        !store.isAway && store.holdsSubmissions
          ? 'this machine keeps requests that PostgreSQL does not have yet'
          : null,
        await findSpaceProblem(dataDir),
        wrongClock && describeClockFault(wrongClock),
        badContent && describeFault(badContent),
      ];
      const problems = withoutNulls([problem, pages.areOutdated() ? outdatedPages : null]);
      return { problems, warnings: withoutNulls(warnings), forStaff: [] };
    },
    async deliveries() {
      const [unread, open] = [await countUnread(mailFolder), await findOpen()];
      const staffProblems = await selfChecks.staffProblems();
      const warnings = [
        store.isAway ? 'PostgreSQL is away: what it holds is not known' : null,
        unread > 0 ? `${describeUnread(unread)} in the folder of mails` : null,
        ...open,
        ...selfChecks.warnings(),
        // Where the database cannot be read, that is a problem below.
        (await parts.alertWorker?.findWarning().catch(() => null)) ?? null,
      ];
      const problems = [
        ...(await findDeliveryProblems(store, now())),
        // Where the database cannot be read, that is a problem already.
        await findLosses(store).catch(() => null),
        ...(await selfChecks.problems()),
        ...staffProblems,
        parts.findRefusalProblem(),
      ];
      return {
        problems: withoutNulls(problems),
        warnings: withoutNulls(warnings),
        forStaff: [...staffProblems, ...open],
      };
    },
    publicChecks: {
      // Not the pages: a proxy that is told no would take away a site whose older pages still work.
      ready: storeHealth.probe,
      // Only the hourly probe and the daily canary: nothing that a single request could change.
      deliveries: async () => (await selfChecks.problems()).length === 0,
    },
  };
}
