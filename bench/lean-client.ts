import { connect, type Socket } from 'node:net';
import { anyAddress } from '../test/support/visitor.ts';

/**
 * A client that costs next to nothing: it writes ready bytes and looks for the end of the answer. Millions of requests
 * come from the same machine as the server that is looked at, so what the client takes is missing there.
 */

export interface Answer {
  status: number;
  /** The status line and the headers. */
  head: string;
  /** As bytes, compressed where it was. */
  body: Buffer;
}

/** A request as it goes over the wire, from an address of its own where the server trusts ours. */
export function wireRequest(
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): string {
  const all: Record<string, string> = { Host: '127.0.0.1', 'X-Forwarded-For': anyAddress(), ...headers };
  if (body) all['Content-Length'] = String(Buffer.byteLength(body));
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

export interface Asking {
  amount: number;
  /** Each asks again as soon as it was answered. */
  connections?: number;
  next: () => string | Promise<string>;
  isRight: (answer: Answer) => boolean;
}

/** @throws at the first answer that is not right, or that does not come. */
export async function askMany(
  url: string,
  { amount, connections = 32, next, isRight }: Asking,
): Promise<void> {
  let left = amount;
  const visit = async () => {
    const connection = openLean(url);
    try {
      while (left-- > 0) {
        const answer = await connection.ask(await next());
        if (!isRight(answer)) throw new Error(`${answer.status}: ${answer.body.toString('latin1', 0, 300)}`);
      }
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, visit));
}

/** A connection that is kept, for one request after another. Every answer of ours says how long it is. */
export type LeanConnection = ReturnType<typeof openLean>;

export function openLean(url: string) {
  const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1').setNoDelay();
  let answered = Promise.withResolvers<Answer>();
  let parts: Buffer[] = [];
  let head: ReturnType<typeof readHead> = null;
  let size = 0;
  answered.promise.catch(() => {});
  const fail = (error: Error) => answered.reject(error);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('closed before it was answered')));
  socket.on('data', (chunk: Buffer) => {
    parts.push(chunk);
    size += chunk.length;
    head ??= readHead(parts.length === 1 ? chunk : Buffer.concat(parts));
    if (!head || size < head.end + head.length) return;
    const { status, text, end } = head;
    const whole = parts.length === 1 ? chunk : Buffer.concat(parts);
    parts = [];
    head = null;
    size = 0;
    answered.resolve({ status, head: text, body: whole.subarray(end) });
  });
  return {
    /** The beginning of a request, of which `ask` brings the rest. */
    begin: (bytes: string) => void socket.write(bytes),
    ask(bytes: string): Promise<Answer> {
      if (socket.destroyed) return Promise.reject(new Error('closed before it was asked'));
      answered = Promise.withResolvers<Answer>();
      answered.promise.catch(() => {});
      socket.write(bytes);
      return answered.promise;
    },
    close: () => void socket.destroy(),
  };
}

function readHead(bytes: Buffer) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const text = bytes.toString('latin1', 0, end);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return { status: Number(text.slice(9, 12)), text, end: end + 4, length };
}
