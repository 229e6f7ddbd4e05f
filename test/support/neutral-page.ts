import { startLocal } from './local-server.ts';

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
  const { stop, ...local } = await startLocal(async (request, response) => {
    if (request.url === '/') referrers.push(request.headers.referer ?? null);
    await released;
    response.writeHead(request.url === '/favicon.ico' ? 204 : 200, {
      'content-type': 'text/html; charset=utf-8',
    });
    response.end('<!doctype html><html lang="en"><title>Weather</title><h1>Fine, with a light wind</h1>');
  });
  const url = `${local.url}/`;
  return {
    url,
    earlierUrl: `${url}earlier`,
    referrers,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      released = promise;
      return resolve;
    },
    stop,
  };
}
