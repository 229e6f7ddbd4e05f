import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';

export interface ClientRendered {
  url: string;
  close(): Promise<void>;
}

/**
 * The same site the plain way: the same scripts and styles, but a page with nothing in it, which asks for the
 * questions when its script runs. What prerendering brings is the difference.
 */
export async function startClientRendered(origin: string): Promise<ClientRendered> {
  const server = createServer((incoming, outgoing) => {
    const isPage = incoming.headers.accept?.includes('text/html') ?? false;
    const headers = { ...incoming.headers, ...(isPage ? { 'accept-encoding': 'identity' } : {}) };
    const passed = ask(origin + incoming.url, { method: incoming.method, headers }, (response) => {
      if (!isPage) {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
        return;
      }
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const body = brotliCompressSync(emptied(Buffer.concat(parts).toString()));
        const { etag: _, 'content-length': __, ...rest } = response.headers;
        outgoing.writeHead(response.statusCode ?? 502, { ...rest, 'content-encoding': 'br' });
        outgoing.end(body);
      });
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

/** A page without what React made of it, and without the questions. */
export function emptied(html: string): string {
  return html
    .replace(/(?<=<div id="root">).*(?=<\/div><script type="application\/json")/s, '')
    .replace(/"forms":\{.*\},"meanings"/s, '"forms":{"help":null,"contact":null},"meanings"');
}
