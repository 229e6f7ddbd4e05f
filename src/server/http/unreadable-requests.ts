import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';

/** By the code of Node's error; any other is a 400. */
const statuses: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers what Node could not read as HTTP or did not get in time: there is no request then, only a connection. */
export function respondUnreadable(headers: Record<string, string>, log: Logger) {
  return (error: Error & { code: string }, socket: Socket): void => {
    // After a reset nobody is there to read an answer.
    if (error.code !== 'ECONNRESET' && socket.writable) {
      const status = statuses[error.code] ?? 400;
      log.debug({ event: 'not readable', status, reason: error.code });
      socket.write(writeAnswer(status, headers));
    }
    socket.destroy(error);
  };
}

function writeAnswer(status: number, headers: Record<string, string>): string {
  const body = JSON.stringify({ error: STATUS_CODES[status] });
  const fields = {
    ...headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
