import Fastify from 'fastify';
import { vi } from 'vitest';
import { createGraphql, type GraphqlParts } from '../../src/server/graphql/graphql.ts';
import { unlimitedQuota } from '../../src/server/submissions/quota.ts';
import { stillContent } from './forms.ts';

/** The route alone, with what is asked of its other parts recorded. */
export function prepareRoute(changes: Partial<GraphqlParts> = {}) {
  const submitForm = vi.fn<GraphqlParts['submitForm']>(async () => ({
    ok: true,
    receipt: { reference: 'AAAA-2222', receivedAt: '2026-01-01T00:00:00.000Z' },
  }));
  const quota = { ...unlimitedQuota, countJunk: vi.fn<() => number | null>(() => null) };
  const graphql = createGraphql({
    content: stillContent(),
    submitForm,
    allowGraphql: () => null,
    quotaOf: () => quota,
    previewLanguages: [],
    ...changes,
  });
  const app = Fastify();
  app.post('/graphql', graphql);
  const post = (payload: object | string, accept?: string) =>
    app.inject({
      method: 'POST',
      url: '/graphql',
      payload,
      headers: { 'content-type': 'application/json', ...(accept === undefined ? {} : { accept }) },
    });
  return { post, submitForm, quota };
}
