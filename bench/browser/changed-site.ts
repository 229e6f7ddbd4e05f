import { request as ask, createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { pageNames, routes } from '../../src/model/routes.ts';

/** A page as the site sent it, in brotli. */
interface SentPage {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export type SentPages = ReadonlyMap<string, SentPage>;

export interface ChangedSite {
  url: string;
  close(): Promise<void>;
}

/** The three pages, by path. Of the home page there are copies that weigh differently, so that one is kept for all that is compared. */
export async function fetchPages(origin: string): Promise<SentPages> {
  const paths = pageNames.map((name) => routes[name].path);
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await fetchPage(origin + path)] as const)),
  );
}

function fetchPage(address: string): Promise<SentPage> {
  return new Promise((resolve, reject) => {
    const asked = ask(address, { headers: { 'accept-encoding': 'br' } }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      resolve({ headers: response.headers, body: Buffer.concat(parts) });
    });
    asked.on('error', reject).end();
  });
}

/**
 * The same site with other pages: changed once, packed as the site packs its own, and sent with the same headers, so that
 * nothing differs but what was changed. Everything else is handed on.
 */
export async function startChangedSite(
  origin: string,
  pages: SentPages,
  change: (html: string) => string,
): Promise<ChangedSite> {
  const changed = new Map([...pages].map(([path, page]) => [path, changePage(page, change)]));
  const server = createServer((incoming, outgoing) => {
    const page = changed.get(incoming.url ?? '');
    if (page && incoming.method === 'GET') {
      outgoing.writeHead(200, page.headers).end(page.body);
      return;
    }
    const { method, headers } = incoming;
    const passed = ask(origin + incoming.url, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function changePage({ headers, body }: SentPage, change: (html: string) => string): SentPage {
  const html = brotliDecompressSync(body).toString();
  const changed = change(html);
  if (changed === html) return { headers, body };
  const packed = brotliCompressSync(changed);
  return { headers: { ...headers, 'content-length': String(packed.length) }, body: packed };
}
