import type { Phrase } from './phrase.ts';

/** A time in which nobody at the trust reads what is sent, as site.yaml has it. Days are New Zealand's, as YYYY-MM-DD. */
export interface Closure {
  /** The first closed day. */
  from: string;
  /** The day somebody reads again. It is the day that is promised, so the trust names it and nobody works it out. */
  until: string;
  message?: Phrase | undefined;
}

/** What a page says about a closure, from a week before it until it ends. */
export interface ClosedNotice {
  /** On every page. */
  notice: Phrase;
  /** The trust is closed when the page is rendered, and not only soon. */
  now?: true;
  /** In the order of time. The first one holds when the page is rendered. */
  promises: (AnswerPromise & { before: string })[];
}

/** What may be promised about an answer. */
export interface AnswerPromise {
  answerWithin: Phrase;
  /** Said first: that the trust is closed, or about to be, and when somebody reads. */
  note?: Phrase;
}

/**
 * The promise for a request, by when the server received it: a page may have been open since before midnight, and a
 * browser's clock may be wrong.
 *
 * @param receivedAt an ISO time; '' for the promise that holds when the page is rendered.
 */
export function answerPromise(
  { site, closed }: { site: AnswerPromise; closed?: ClosedNotice | undefined },
  receivedAt: string,
): AnswerPromise {
  return closed?.promises.find(({ before }) => receivedAt < before) ?? site;
}
