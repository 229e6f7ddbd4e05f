import type { Content } from '../content/content.ts';
import type { ReadDocument } from './documents.ts';

/**
 * The answer to a query without variables depends on nothing but the content, so it is made once for each of the two.
 * There are as many of them as there are documents kept, and they go with these. As text, which Node sends together
 * with the headers in one piece.
 */
export function createKeptAnswers() {
  const kept = new WeakMap<ReadDocument, { content: Content; body: string }>();
  return {
    find(document: ReadDocument, content: Content): string | undefined {
      const answer = kept.get(document);
      return answer?.content === content ? answer.body : undefined;
    },
    keep(document: ReadDocument, content: Content, body: string): string {
      kept.set(document, { content, body });
      return body;
    },
  };
}
