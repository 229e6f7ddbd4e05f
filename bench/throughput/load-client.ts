/**
 * Sends requests as fast as a server answers them, in a process of its own and on bare sockets, so that the client needs
 * less processor time than any server it measures. The parent process sends one job at a time and gets its result.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { prepareRequests } from './load-requests.ts';
import { coreSeconds, processSeconds } from './processor-time.ts';
import { createResponseReader } from './response-reader.ts';
import type { Workload } from './workloads.ts';

export interface Job {
  url: string;
  workload: Workload;
  /** How long to send, unless the workload is a number of submissions. */
  seconds: number;
  /** The server's process, and its core where it is pinned to one. */
  pid: number;
  core: number | null;
}

export interface LoadResult {
  responses: number;
  seconds: number;
  /** Processor time of the server's process, and of this one. */
  serverSeconds: number;
  clientSeconds: number;
  /** The share of the server's core that other processes used. */
  othersOnCore: number;
}

const connectionCount = 50;

async function run(job: Job): Promise<LoadResult> {
  const nextRequest = await prepareRequests(job.workload);
  const expectedLength = await checkOneResponse(job.url, nextRequest);
  // New connections for each job: the server may close one that was idle since the last job at any moment.
  const connections = await Promise.all(Array.from({ length: connectionCount }, () => open(job.url)));
  try {
    const before = readClocks(job);
    const responses = await sendAll(connections, nextRequest, expectedLength, job);
    const after = readClocks(job);
    const seconds = after.at - before.at;
    const serverSeconds = after.server - before.server;
    return {
      responses,
      seconds,
      serverSeconds,
      clientSeconds: after.client - before.client,
      othersOnCore: (after.core - before.core - serverSeconds) / seconds,
    };
  } finally {
    for (const { socket } of connections) socket.destroy();
  }
}

function readClocks({ pid, core }: Job) {
  const { user, system } = process.cpuUsage();
  return {
    at: performance.now() / 1000,
    server: processSeconds(pid),
    client: (user + system) / 1e6,
    core: core === null ? Number.NaN : coreSeconds(core),
  };
}

interface Connection {
  socket: Socket;
  onBytes(bytes: Buffer): void;
}

async function open(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const connection = { onBytes: (_: Buffer) => {} };
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    // One buffer for everything received, instead of a new one for each chunk.
    onread: {
      buffer: Buffer.allocUnsafe(128 * 1024),
      callback(length, buffer) {
        connection.onBytes(Buffer.from(buffer.buffer, buffer.byteOffset, length));
        return true;
      },
    },
  });
  await once(socket, 'connect');
  return Object.assign(connection, { socket });
}

/** One request at a time on each connection, until the time or the submissions run out. Waits for the last responses. */
function sendAll(
  connections: Connection[],
  nextRequest: () => Buffer,
  expectedLength: number,
  { workload: { submissions, expectedStatus }, seconds }: Job,
): Promise<number> {
  let left = submissions ?? Number.POSITIVE_INFINITY;
  let requests = 0;
  let responses = 0;
  return new Promise((finish, fail) => {
    for (const connection of connections) {
      const { socket } = connection;
      const send = () => {
        if (left-- <= 0) return responses === requests && finish(responses);
        requests++;
        socket.write(nextRequest());
      };
      connection.onBytes = createResponseReader((status, length) => {
        responses++;
        if (status === expectedStatus && length === expectedLength) send();
        else fail(new Error(`Answered with ${status} and ${length} bytes, after ${responses} requests`));
      });
      socket.on('error', fail);
      socket.on('close', () => fail(new Error(`A connection was closed after ${responses} requests`)));
      send();
    }
    if (submissions !== undefined) return;
    setTimeout(() => {
      left = 0;
    }, seconds * 1000);
  });
}

/**
 * The length of a right response, from one that is read whole: GraphQL answers 200 to what it refuses too, but with
 * another length.
 */
async function checkOneResponse(url: string, nextRequest: () => Buffer): Promise<number> {
  const connection = await open(url);
  const received: Buffer[] = [];
  const length = await new Promise<number>((finish, fail) => {
    const read = createResponseReader((_, length) => finish(length));
    connection.onBytes = (bytes) => {
      received.push(Buffer.from(bytes));
      read(bytes);
    };
    connection.socket.on('error', fail).on('close', () => fail(new Error('A connection was closed')));
    connection.socket.write(nextRequest());
  });
  connection.socket.destroy();
  const [, body = ''] = Buffer.concat(received).toString('latin1').split('\r\n\r\n');
  if (body.includes('"errors":[')) throw new Error(`Refused: ${body}`);
  return length;
}

process.on('message', async (job: Job) => {
  const result = await run(job).catch((error: Error) => ({ failed: `${error.message}` }));
  process.send?.(result);
});
process.on('disconnect', () => process.exit());
