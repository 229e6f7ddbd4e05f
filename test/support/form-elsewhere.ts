import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another site's form, whose values a browser stores: the proof that this browser would have stored ours. */
export async function startFormElsewhere() {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      request.method === 'POST'
        ? '<!doctype html><p>Thank you</p>'
        : '<!doctype html><form method="post"><label for="any">Anything</label><input id="any" name="email"><button>Go</button></form>',
    );
    request.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** A word that occurs nowhere else. */
    typed: 'Wvkqzjx',
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
