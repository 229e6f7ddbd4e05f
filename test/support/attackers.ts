import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';

/** What hostile clients do, against a server that the test has started on this machine. */

export interface Attack {
  /** How many of the connections the server has closed. */
  closed(): number;
  end(): void;
}

/**
 * Half of what the system keeps until the server accepts it. Of more it forgets some, and a connection on which nothing is sent
 * never learns that.
 */
const atOnce = 250;

/** Opens connections that never read, and writes `firstBytes` on each; a function gets the number of the connection. */
export async function openConnections(
  url: string,
  count: number,
  firstBytes: string | ((number: number) => string) = '',
): Promise<Attack> {
  const { port } = new URL(url);
  let closed = 0;
  const open = (number: number): Socket => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.on('close', () => closed++);
    const bytes = typeof firstBytes === 'string' ? firstBytes : firstBytes(number);
    if (bytes !== '') socket.write(bytes);
    return socket;
  };
  const settled = (socket: Socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const more = Math.min(atOnce, count - sockets.length);
    const opened = Array.from({ length: more }, (_, index) => open(sockets.length + index));
    sockets.push(...opened);
    await Promise.allSettled(opened.map(settled));
    // Answered once the server has accepted all that came before it.
    if (sockets.length < count) await visit(url, '/health/live').catch(() => {});
  }
  return {
    closed: () => closed,
    end() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

export const slowHeaders = 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
export const slowBody =
  'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{';
/** A form of this length, posted as by a browser without a script, always from the same address. */
export const longBody = (length: number) =>
  `POST /help HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.9\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n\r\n${'a'.repeat(length)}`;
export const pipelined = (path: string, times: number) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(times);

/** One visit, on a new connection unless an agent is given. Resolves with the status; rejects without a response. */
export function visit(
  url: string,
  path = '/',
  headers: Record<string, string> = {},
  agent: Agent | false = false,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(`${url}${path}`, { agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}

/** Visits the three pages one after the other, as one person does. Returns the different statuses. */
export async function visitAll(url: string, times = 10): Promise<number[]> {
  const statuses = new Set<number>();
  for (let n = 0; n < times; n++)
    for (const path of ['/', '/help', '/contact'])
      statuses.add(await visit(url, path, { 'x-forwarded-for': '192.0.2.80' }));
  return [...statuses];
}

/** Resident memory of a process, from Linux's /proc. */
export const residentMegabytes = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Processor time of a process so far, all threads together, in hundredths of a second. */
export function processorTime(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
