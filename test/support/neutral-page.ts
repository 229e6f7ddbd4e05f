import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface NeutralPage {
  url: string;
  /** The Referer of every visit so far; null where there was none. */
  referrers: (string | null)[];
  stop(): Promise<void>;
}

/** The page a visitor who leaves is taken to, on this machine. */
export async function startNeutralPage(): Promise<NeutralPage> {
  const referrers: (string | null)[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/') referrers.push(request.headers.referer ?? null);
    response.writeHead(request.url === '/' ? 200 : 204, { 'content-type': 'text/html; charset=utf-8' });
    response.end('<!doctype html><html lang="en"><title>Weather</title><h1>Fine, with a light wind</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    referrers,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
