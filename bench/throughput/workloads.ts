import { formQueries } from '../../src/model/operations.ts';
import { type HttpRequest, recordResponse } from './recorded-response.ts';

/** One kind of request that visitors make, as a client sends it over and over. */
export interface Workload {
  name: string;
  request: HttpRequest;
  expectedStatus: number;
  /** Where set, the client sends this many forms, each with its own token, instead of the request for a fixed time. */
  submissions?: number;
}

const compressed = { 'accept-encoding': 'gzip, deflate, br' };

/** From a page up to a stored submission. The addresses of scripts and pictures differ from commit to commit. */
export async function findWorkloads(url: string) {
  const page: HttpRequest = { path: '/help', headers: compressed };
  const { etag } = (await recordResponse(url, page)).headers;
  const html = await (await fetch(`${url}/help`)).text();
  const linked = (pattern: RegExp): HttpRequest => {
    const path = pattern.exec(html)?.[0];
    if (!path) throw new Error(`/help has no link like ${pattern}`);
    return { path, headers: compressed };
  };
  const query: HttpRequest = {
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: formQueries.help }),
  };
  const unchanged = { path: '/help', headers: { ...compressed, 'if-none-match': `${etag}` } };
  return {
    pages: { name: 'pages', request: page, expectedStatus: 200 },
    unchanged: { name: 'unchanged (304)', request: unchanged, expectedStatus: 304 },
    pictures: { name: 'pictures', request: linked(/\/photos\/[^\s",]+@2x\.avif/), expectedStatus: 200 },
    scripts: { name: 'scripts', request: linked(/\/assets\/[^\s",']+\.js/), expectedStatus: 200 },
    queries: { name: 'form queries', request: query, expectedStatus: 200 },
    submissions: { name: 'submissions', request: query, expectedStatus: 200, submissions: 3_000 },
  } satisfies Record<string, Workload>;
}

export type Workloads = Awaited<ReturnType<typeof findWorkloads>>;
