import { isDoubtful } from '../../../model/bot-verdict.ts';
import { ignoreUnavailable } from '../contract/errors.ts';
import type { FollowUpOutcome, FollowUps, OpenSummary } from '../contract/follow-ups.ts';
import type { SharedDatabase } from './shared-database.ts';

/** A step is recorded in the database that has the submission: the shared one, or the fallback until it is transferred. */
export function joinFollowUps(
  shared: SharedDatabase,
  fallback: FollowUps,
  isFallbackInUse: () => boolean,
): FollowUps {
  const fromFallback = async <T>(ask: (followUps: FollowUps) => Promise<T>, otherwise: T): Promise<T> =>
    isFallbackInUse() ? ask(fallback).catch(ignoreUnavailable(otherwise)) : otherwise;

  /** The shared database first: where both have the submission, a colleague on another server sees that one. */
  async function change(ask: (followUps: FollowUps) => Promise<FollowUpOutcome | null>) {
    const theirs = shared.isAway ? null : await shared.use(ask);
    const local = theirs ?? (isFallbackInUse() ? await ask(fallback) : null);
    // Rejects: the submission may be in the shared database, which is away.
    return local ?? (shared.isAway ? shared.use(ask) : null);
  }

  /** From both, of which the fallback has few: these come first among the urgent ones, the doubtful ones and the others. */
  async function list<T>(
    ask: (followUps: FollowUps) => Promise<T[]>,
    placeOf: (one: T) => number,
    limit: number,
  ): Promise<T[]> {
    const rest = await shared.use(ask);
    const local = isFallbackInUse() ? await ask(fallback) : [];
    return [...local, ...rest].toSorted((one, other) => placeOf(one) - placeOf(other)).slice(0, limit);
  }

  /** The last answer of the shared database, used while it is away. */
  let lastOpen: OpenSummary[] = [];

  return {
    recordStep: (...args) => change((followUps) => followUps.recordStep(...args)),
    undoStep: (...args) => change((followUps) => followUps.undoStep(...args)),
    addChange: (...args) => change((followUps) => followUps.addChange(...args)),
    async recordRead(...args) {
      const local = await fromFallback((followUps) => followUps.recordRead(...args), 0);
      return local + (await shared.use((followUps) => followUps.recordRead(...args)));
    },

    listOpen: (limit, forms) =>
      list(
        (followUps) => followUps.listOpen(limit, forms),
        ({ verdict, delivery: { urgent } }) => place(isDoubtful(verdict), urgent),
        limit,
      ),
    outlineOpen: (limit, forms) =>
      list(
        (followUps) => followUps.outlineOpen(limit, forms),
        ({ doubtful, urgent }) => place(doubtful, urgent),
        limit,
      ),
    async recordNamed(...args) {
      await fromFallback((followUps) => followUps.recordNamed(...args), undefined);
      await shared.use((followUps) => followUps.recordNamed(...args));
    },
    async summariseOpen() {
      if (!shared.isAway) lastOpen = await shared.use((followUps) => followUps.summariseOpen());
      const local = await fromFallback((followUps) => followUps.summariseOpen(), []);
      return joinSummaries([...local, ...lastOpen]);
    },
    async summariseUnseen(until, now, memory) {
      const ask = (followUps: FollowUps) => followUps.summariseUnseen(until, now);
      const asked = shared.use(ask);
      const theirs = await (memory ? asked.catch(ignoreUnavailable(memory.last)) : asked);
      if (memory) memory.last = theirs;
      return joinSummaries([...(await fromFallback(ask, [])), ...theirs]);
    },
  };
}

const place = (doubtful: boolean, urgent: boolean) => 2 * Number(doubtful) + Number(!urgent);

/** One summary for each form. */
const joinSummaries = (summaries: readonly OpenSummary[]): OpenSummary[] =>
  [...Map.groupBy(summaries, ({ form }) => form).values()].map((same) => same.reduce(addSummaries));

const addSummaries = (one: OpenSummary, other: OpenSummary): OpenSummary => ({
  form: one.form,
  open: one.open + other.open,
  urgentUntaken: one.urgentUntaken + other.urgentUntaken,
  oldestReceivedAt:
    one.oldestReceivedAt < other.oldestReceivedAt ? one.oldestReceivedAt : other.oldestReceivedAt,
});
