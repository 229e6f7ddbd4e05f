import type { Archive } from '../contract/archive.ts';
import { ignoreUnavailable } from '../contract/errors.ts';
import type { StoredSubmission } from '../contract/submission.ts';
import type { SharedDatabase } from './shared-database.ts';

/** Submissions in the fallback are found, counted and erased with the others. While the shared database is away, none can be. */
export function joinArchives(
  shared: SharedDatabase,
  fallback: Archive,
  isFallbackInUse: () => boolean,
): Archive {
  const fromFallback = <T>(ask: (archive: Archive) => Promise<T>): Promise<T | null> =>
    isFallbackInUse() ? ask(fallback) : Promise.resolve(null);

  return {
    findSubmission: async (reference) =>
      (await fromFallback((archive) => archive.findSubmission(reference))) ??
      (await shared.use((archive) => archive.findSubmission(reference))),

    async findSubmissions(references) {
      // What was claimed in one of them must be done, also if the other one fails.
      const local = await fromFallback((archive) => archive.findSubmissions(references)).catch(
        ignoreUnavailable(null),
      );
      const rest = references.filter((reference) => !local?.some((one) => one.reference === reference));
      if (rest.length === 0) return local ?? [];
      const asked = shared.use((archive) => archive.findSubmissions(rest));
      return local?.length ? [...local, ...(await asked.catch(ignoreUnavailable([])))] : asked;
    },

    async *iterateSubmissions(filter) {
      const rest = await shared.use(async (archive) => archive.iterateSubmissions(filter));
      if (isFallbackInUse()) yield* mergeNewestFirst(fallback.iterateSubmissions(filter), rest);
      else yield* rest;
    },

    async countSubmissions(filter) {
      const local = await fromFallback((archive) => archive.countSubmissions(filter));
      const rest = await shared.use((archive) => archive.countSubmissions(filter));
      return { total: rest.total + (local?.total ?? 0), sealed: rest.sealed + (local?.sealed ?? 0) };
    },

    listDefinitions: async (filter) => [
      ...((await fromFallback((archive) => archive.listDefinitions(filter))) ?? []),
      ...(await shared.use((archive) => archive.listDefinitions(filter))),
    ],

    async listExpired(expiry, ...args) {
      // What nobody has seen is erased once it is transferred: it is counted then, and must not be counted twice.
      const list = (archive: Archive) => archive.listExpired(expiry, ...args);
      const local = (expiry.rule === 'unseen' ? null : await fromFallback(list)) ?? [];
      return local.length > 0 ? local : shared.use(list);
    },
    async reopenUnread(references) {
      await fromFallback((archive) => archive.reopenUnread(references));
      await shared.use((archive) => archive.reopenUnread(references));
    },
    startUnseenLimit: (...args) => shared.use((archive) => archive.startUnseenLimit(...args)),
    findUnseenLimit: (days) => shared.use((archive) => archive.findUnseenLimit(days)),
    mendTimes: (now) => shared.use((archive) => archive.mendTimes(now)),
    eraseUnseen: (...args) => shared.use((archive) => archive.eraseUnseen(...args)),
    listLosses: () => shared.use((archive) => archive.listLosses()),
    confirmLosses: (losses) => shared.use((archive) => archive.confirmLosses(losses)),

    async eraseSubmissions(...args) {
      const local = await fromFallback((archive) => archive.eraseSubmissions(...args));
      return (local ?? 0) + (await shared.use((archive) => archive.eraseSubmissions(...args)));
    },

    async eraseOne(reference, now) {
      const local = await fromFallback((archive) => archive.eraseOne(reference, now));
      if (local === 'busy') return local;
      const rest = await shared.use((archive) => archive.eraseOne(reference, now));
      return local === 'erased' && rest === 'not here' ? local : rest;
    },

    async scrub() {
      const local = await fallback.scrub();
      return (await shared.use((archive) => archive.scrub())) && local;
    },

    findTimes: () => shared.use((archive) => archive.findTimes()),
    recordClockFault: (since) => shared.use((archive) => archive.recordClockFault(since)),
    recordErasing: (...args) => shared.use((archive) => archive.recordErasing(...args)),
  };
}

async function* mergeNewestFirst(
  one: AsyncIterable<StoredSubmission>,
  other: AsyncIterable<StoredSubmission>,
): AsyncIterable<StoredSubmission> {
  const [left, right] = [one[Symbol.asyncIterator](), other[Symbol.asyncIterator]()];
  let [a, b] = [await left.next(), await right.next()];
  while (!a.done || !b.done) {
    if (b.done || (!a.done && a.value.receivedAt >= b.value.receivedAt)) {
      yield a.value;
      a = await left.next();
    } else {
      yield b.value;
      b = await right.next();
    }
  }
}
