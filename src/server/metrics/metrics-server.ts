import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { isLoopbackOrPrivate } from '../http/address-ranges.ts';
import { securityHeaders, strictResponse } from '../http/security-headers.ts';
import { shareFor } from '../time/share-for.ts';

/** Few enough to leave the site its open files. A Prometheus needs one, and comes again after a refusal. */
const maxConnections = 64;
/** A page is gathered at most this often, and all who ask meanwhile get the same one. */
const gatherMs = 250;
/** Nothing that scrapes is on a weak signal, so a silent connection frees its slot soon. */
const silentMs = 2_000;
const maxHeaderSize = 8_192;

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

export interface MetricsServerParts {
  host?: string;
  /** Which addresses get an answer: whatever the server listens on, the internet must not read the figures. */
  admits?: (address: string) => boolean;
  /** 0: any free port. */
  port: number;
  /** By path. */
  pages: Record<string, () => Promise<MachinePage>>;
  log: Logger;
}

export interface MachinePage {
  code: number;
  type: string;
  body: string;
}

const plainText = 'text/plain; charset=utf-8';
const notFound: MachinePage = { code: 404, type: plainText, body: 'There is nothing here\n' };
const failed: MachinePage = { code: 500, type: plainText, body: 'The figures could not be gathered\n' };

/** Serves `GET` for these pages and nothing else, on this machine alone unless another address is set. */
export async function serveMetrics({
  host = '127.0.0.1',
  admits = isLoopbackOrPrivate,
  port,
  pages,
  log,
}: MetricsServerParts): Promise<MetricsServer> {
  const gatherers = new Map(
    Object.entries(pages).map(([path, gather]) => [path, shareFor(gatherMs, gather)]),
  );

  async function gather({ method, url = '' }: IncomingMessage): Promise<MachinePage> {
    const found = method === 'GET' || method === 'HEAD' ? gatherers.get(url) : undefined;
    try {
      return (await found?.()) ?? notFound;
    } catch (err) {
      log.error({ event: 'metrics not gathered', err });
      return failed;
    }
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { code, type, body } = await gather(request);
    const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) };
    // One response a connection, however many requests stand in one packet.
    response.writeHead(code, { ...headers, 'cache-control': 'no-store', connection: 'close' }).end(body);
  }

  const server = createServer(
    {
      maxHeaderSize,
      headersTimeout: silentMs,
      requestTimeout: silentMs,
      connectionsCheckingInterval: 500,
      ServerResponse: strictResponse(securityHeaders(undefined)),
    },
    (request, response) => void respond(request, response),
  );
  server.maxConnections = maxConnections;
  // Node's two timeouts end a request that does not come. This one ends a response that is not read.
  server.setTimeout(silentMs, (socket) => socket.destroy());
  server.on('connection', (socket) => {
    if (!admits(socket.remoteAddress ?? '')) socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
