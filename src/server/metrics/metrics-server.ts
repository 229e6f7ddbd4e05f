import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { boundConnections } from '../http/connections.ts';
import { boundedServer } from '../http/http-server.ts';
import { securityHeaders, strictResponse } from '../http/security-headers.ts';
import { timeouts } from '../http/timeouts.ts';
import { isNearby } from '../http/trusted-proxies.ts';
import { respondUnreadable } from '../http/unreadable-requests.ts';

/** A Prometheus or two, and somebody who looks. Whoever comes on top of these takes the place of one that asks nothing. */
const connectionsAtMost = 16;
/** A page is made this often at most. Whoever asks more often waits, and all of them get the same. */
const gatherMs = 250;
/** A connection on which nothing moves. Nobody here is on a weak signal. */
const silentMs = 10_000;
/** Nothing that asks for figures has more to say. */
const headerBytes = 8_192;

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

export interface MetricsServerParts {
  host?: string;
  /** Who may ask, by their address. Whatever it listens on, nobody on the internet reads the figures by accident. */
  admits?: (address: string) => boolean;
  /** 0: any that is free. */
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

/** Answers `GET` for these pages, and nothing else: on this machine alone, unless another address is named. */
export async function serveMetrics({
  host = '127.0.0.1',
  admits = isNearby,
  port,
  pages,
  log,
}: MetricsServerParts): Promise<MetricsServer> {
  const makers = new Map(Object.entries(pages).map(([path, make]) => [path, inTurn(gatherMs, make)]));
  const connections = boundConnections(
    { inAll: connectionsAtMost, perAddress: connectionsAtMost },
    () => false,
    (request) => request.complete,
  );

  function answer(
    request: IncomingMessage,
    response: ServerResponse,
    { code, type, body }: MachinePage,
  ): void {
    if (response.destroyed) return;
    // One answer a connection: what else stands in its packet is not even read.
    response.writeHead(code, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      connection: 'close',
    });
    response.end(request.method === 'HEAD' ? '' : body);
  }

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    connections.stopHearing(request.socket);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const make = isRead ? makers.get(request.url ?? '') : undefined;
    if (!make)
      return answer(request, response, { code: 404, type: plainText, body: 'There is nothing here\n' });
    make().then(
      (page) => answer(request, response, page),
      (err) => {
        log.error({ event: 'metrics not gathered', err });
        const body = 'The figures could not be gathered\n';
        answer(request, response, { code: 500, type: plainText, body });
      },
    );
  };

  const headers = securityHeaders(undefined);
  const http = { ...timeouts.http, maxHeaderSize: headerBytes, ServerResponse: strictResponse(headers) };
  const server = boundedServer(connections, log)(handle as never, { http }) as Server;
  server.prependListener('connection', (socket) => {
    if (!admits(socket.remoteAddress ?? '')) socket.destroy();
  });
  server.setTimeout(silentMs);
  server.requestTimeout = silentMs;
  server.on('clientError', respondUnreadable(headers, log) as never);
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

/** Does something at most this often. Those who ask meanwhile wait for it together. */
function inTurn<T>(everyMs: number, work: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | null = null;
  let doneAt = Number.NEGATIVE_INFINITY;
  async function take(): Promise<T> {
    const waitMs = doneAt + everyMs - performance.now();
    if (waitMs > 0) await setTimeout(waitMs, undefined, { ref: false });
    try {
      return await work();
    } finally {
      doneAt = performance.now();
      next = null;
    }
  }
  return () => {
    next ??= take();
    return next;
  };
}
