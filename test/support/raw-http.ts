import { connect } from 'node:net';
import type { TestApp } from './app.ts';

/** Has the app listen on a free port of its own. */
export async function listen(app: TestApp): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as { port: number }).port;
}

/** A connection for bytes that no HTTP client would send, and all responses until the server ended it. */
export function openConnection(port: number) {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  // The server may end a connection with a reset; what it answered before that is what counts.
  socket.on('error', () => {});
  const answered = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  return { socket, answered };
}

/** What the server answers to these very bytes; a character is a byte. */
export function exchange(port: number, request: string): Promise<string> {
  const { socket, answered } = openConnection(port);
  socket.write(request, 'latin1');
  return answered;
}

/** A request as it goes over the wire. */
export const wire = (lines: readonly string[], body = '') => `${lines.join('\r\n')}\r\n\r\n${body}`;

/** The statuses of all the answers on a connection, one after another. */
export const statusesIn = (answers: string) =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
