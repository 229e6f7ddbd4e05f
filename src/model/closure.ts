import type { Phrase } from './phrase.ts';

/** A time in which nobody at the trust reads submissions. Days in New Zealand, as YYYY-MM-DD. */
export interface Closure {
  /** The first closed day. */
  from: string;
  /** The day somebody reads again. The pages promise this day, so the trust writes it and no code computes it. */
  until: string;
  message?: Phrase | undefined;
}

/** What a page says about a closure, from a week before until its end. */
export interface ClosedNotice {
  /** On every page. */
  notice: Phrase;
  /** The trust is closed already when the page is rendered. */
  begun?: true;
  /** In chronological order, each with the ISO time at which it ends. The first applies at render time. */
  promises: (ReplyPromise & { until: string })[];
}

export interface ReplyPromise {
  answerWithin: Phrase;
  /** That the trust is closed or about to close, and when somebody reads again. */
  note?: Phrase;
}

/**
 * The promise for a request, by the time at which the server received it: the page may have been open since before
 * midnight, and the browser's clock may be wrong.
 *
 * @param receivedAt an ISO time; '' for the promise that applies at render time.
 */
export function replyPromise(
  { site, closed }: { site: ReplyPromise; closed?: ClosedNotice | undefined },
  receivedAt: string,
): ReplyPromise {
  return closed?.promises.find(({ until }) => receivedAt < until) ?? site;
}
