import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { isLoopbackOrPrivate } from '../hardening/address-ranges.ts';
import { securityHeaders, strictResponse } from '../http/security-headers.ts';
import { shareFor } from '../time/share-for.ts';

/** Leaves the site its open files (docs/decisions/0125). A Prometheus needs one connection, and comes again after a refusal. */
const maxConnections = 64;
/** A page is gathered at most this often. Requests in between get the same page. */
const gatherMs = 250;
/** A connection on which no byte moves is closed after this, so that a peer cannot fill all slots with silent ones. */
const idleTimeoutMs = 2_000;

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

export interface MetricsServerParts {
  host?: string;
  /** Which addresses get a response: the internet must not read the figures, whatever address the server listens on. */
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
    // One response a connection, however many requests came in one packet.
    response.writeHead(code, { ...headers, 'cache-control': 'no-store', connection: 'close' }).end(body);
  }

  const ServerResponse = strictResponse(securityHeaders(undefined));
  const server = createServer({ ServerResponse }, (request, response) => void respond(request, response));
  server.maxConnections = maxConnections;
  server.setTimeout(idleTimeoutMs);
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
