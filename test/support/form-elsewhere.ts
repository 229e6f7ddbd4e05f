import { startLocal } from './local-server.ts';

/** Another site's form, whose values a browser stores: the proof that this browser would have stored ours. */
export async function startFormElsewhere() {
  const { url, stop } = await startLocal((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      request.method === 'POST'
        ? '<!doctype html><p>Thank you</p>'
        : '<!doctype html><form method="post"><label for="any">Anything</label><input id="any" name="email"><button>Go</button></form>',
    );
    request.resume();
  });
  return {
    url: `${url}/`,
    /** A word that occurs nowhere else. */
    typed: 'Wvkqzjx',
    stop,
  };
}
