import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface NeutralPage {
  url: string;
  /** Another page with the same text, which a visitor may have seen before our pages. */
  earlierUrl: string;
  /** The Referer of every visit so far; null where there was none. */
  referrers: (string | null)[];
  /** From now on requests wait, until the returned function is called. */
  hold(): () => void;
  stop(): Promise<void>;
}

/** The page a visitor who leaves is taken to, on this machine. */
export async function startNeutralPage(): Promise<NeutralPage> {
  const referrers: (string | null)[] = [];
  let released = Promise.resolve();
  const server = createServer(async (request, response) => {
    if (request.url === '/') referrers.push(request.headers.referer ?? null);
    await released;
    response.writeHead(request.url === '/favicon.ico' ? 204 : 200, {
      'content-type': 'text/html; charset=utf-8',
    });
    response.end('<!doctype html><html lang="en"><title>Weather</title><h1>Fine, with a light wind</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    earlierUrl: `${url}earlier`,
    referrers,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      released = promise;
      return resolve;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
