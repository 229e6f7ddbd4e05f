import { text } from 'node:stream/consumers';
import { formQueries } from '../../src/model/operations.ts';
import { type Ask, fetchReady } from './ready-answers.ts';

/** What a visitor of /help asks a site for. The addresses of scripts and pictures are other ones with each commit. */
export interface SiteAddresses {
  page: Ask;
  /** What the page said it was, for those who have it already. */
  unchanged: Ask;
  picture: Ask;
  script: Ask;
  query: Ask;
}

const packed = { 'accept-encoding': 'gzip, deflate, br' };

export async function findAddresses(url: string): Promise<SiteAddresses> {
  const html = await text((await fetch(`${url}/help`)).body ?? new ReadableStream());
  const find = (what: RegExp): Ask => {
    const path = what.exec(html)?.[0];
    if (!path) throw new Error(`/help names nothing like ${what}`);
    return { path, headers: packed };
  };
  const page = { path: '/help', headers: packed };
  const { etag } = (await fetchReady(url, page)).headers;
  return {
    page,
    unchanged: { path: '/help', headers: { ...packed, 'if-none-match': `${etag}` } },
    picture: find(/\/photos\/[^\s",]+@2x\.avif/),
    script: find(/\/assets\/[^\s",']+\.js/),
    query: {
      path: '/graphql',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: formQueries.help }),
    },
  };
}
