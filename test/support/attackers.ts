import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';

/** What a hostile client does, bounded in number. All of it against a server of our own on this machine. */

export interface Attack {
  /** How many of the connections the server has closed. */
  closed(): number;
  end(): void;
}

/** Opens so many connections and writes the same on each, or what belongs to its number. None of them ever reads. */
export async function openConnections(
  url: string,
  count: number,
  firstBytes: string | ((number: number) => string) = '',
): Promise<Attack> {
  const { port } = new URL(url);
  let closed = 0;
  const sockets = Array.from({ length: count }, (_, number): Socket => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.on('close', () => closed++);
    const bytes = typeof firstBytes === 'string' ? firstBytes : firstBytes(number);
    if (bytes !== '') socket.write(bytes);
    return socket;
  });
  const settled = (socket: Socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  await Promise.allSettled(sockets.map(settled));
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
/** A form as a browser posts it by itself, so long; all of them from one address. */
export const longBody = (length: number) =>
  `POST /help HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.9\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n\r\n${'a'.repeat(length)}`;
export const pipelined = (path: string, times: number) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(times);

/** A visitor, with a connection of their own where no agent keeps one. The status; rejects where there was no answer. */
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

/** One after the other, as one person does, from an address of their own where the server trusts ours. The different statuses there were. */
export async function visitAll(url: string, times = 10): Promise<number[]> {
  const statuses = new Set<number>();
  for (let n = 0; n < times; n++)
    for (const path of ['/', '/help', '/contact'])
      statuses.add(await visit(url, path, { 'x-forwarded-for': '192.0.2.80' }));
  return [...statuses];
}

/** Of memory, by the system's own account. */
export const residentMegabytes = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Of processor time so far, in hundredths of a second, all threads together. */
export function processorTime(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
