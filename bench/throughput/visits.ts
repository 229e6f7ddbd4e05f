import type { Load } from './load-requests.ts';
import type { SiteAddresses } from './site-addresses.ts';

/** One kind of request, and how often a server answers it. */
export interface Visit {
  name: string;
  load: Load;
  expectedStatus: number;
}

const submissionsARound = 3_000;

/** Everything visitors ask for, up to a request for help that is kept. */
export function visitsTo({ page, unchanged, picture, script, query }: SiteAddresses) {
  const get = (
    name: string,
    ask: { path: string; headers: Record<string, string> },
    expectedStatus = 200,
  ) => ({
    name,
    load: { kind: 'get' as const, ...ask },
    expectedStatus,
  });
  return {
    pages: get('pages', page),
    unchanged: get('unchanged (304)', unchanged, 304),
    pictures: get('pictures', picture),
    scripts: get('scripts', script),
    queries: { name: 'form queries', load: { kind: 'query', path: query.path }, expectedStatus: 200 },
    submissions: {
      name: 'submissions',
      load: { kind: 'submission', path: query.path, amount: submissionsARound },
      expectedStatus: 200,
    },
  } as const satisfies Record<string, Visit>;
}
