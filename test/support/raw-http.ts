import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestApp } from './app.ts';

/** Has the app listen on a free port of its own. */
export async function listen(app: TestApp): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as { port: number }).port;
}

/** A connection on which to write what no HTTP client would; all that was answered until the server ended it. */
export function openConnection(port: number) {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  // The server may end a connection with a reset; what it answered before that is what counts.
  socket.on('error', () => {});
  return { socket, answered: once(socket, 'close').then(() => text) };
}

/** What the server answers to these very bytes. */
export function exchange(port: number, request: string): Promise<string> {
  const { socket, answered } = openConnection(port);
  socket.write(request);
  return answered;
}
