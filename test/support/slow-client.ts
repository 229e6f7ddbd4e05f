import { onTestFinished } from 'vitest';
import { openConnection } from './raw-http.ts';

/** Between two bytes: a client that is slow, and never silent for long enough to be called so. */
const everyMs = 20;

/** Sends the beginning, and then the rest again and again, byte by byte, until the server has had enough of it. */
export function dribble(port: number, beginning: string, rest: string): Promise<string> {
  const { socket, answered } = openConnection(port);
  socket.write(beginning);
  let sent = 0;
  const timer = setInterval(() => {
    if (socket.writable) socket.write(rest[sent++ % rest.length] ?? '');
  }, everyMs);
  socket.on('close', () => clearInterval(timer));
  onTestFinished(() => void socket.destroy());
  return answered;
}
