import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** Begins to send a form, and goes on byte by byte until the other side ends it. */
export async function uploadForEver(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = ['POST /graphql HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
  socket.write(`${head.join('\r\n')}\r\nContent-Length: 5000\r\nExpect: 100-continue\r\n\r\n`);
  // "100 Continue": the server is handling this request.
  await once(socket, 'data');
  const timer = setInterval(() => socket.write(' '), 100);
  socket.on('close', () => clearInterval(timer));
  onTestFinished(() => void socket.destroy());
}
