/**
 * Asks a server as fast as it answers, from a process of its own and by bare sockets. Takes jobs from the process that
 * started it, one at a time, and tells what came of each.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createAnswerReader } from './answer-reader.ts';
import { type Load, prepareRequests, type Requests } from './load-requests.ts';
import { coreSeconds, processSeconds } from './processor-time.ts';

export interface Job {
  url: string;
  load: Load;
  /** For as long, where the load is not so many requests. */
  seconds: number;
  expectedStatus: number;
  /** The server's process, and its core where it has one. */
  pid: number;
  core: number | null;
}

export interface Outcome {
  answered: number;
  seconds: number;
  /** Processor time of the server's process, and of this one. */
  serverSeconds: number;
  clientSeconds: number;
  /** Which part of its core others than the server used meanwhile. */
  othersOnCore: number;
}

const connections = 50;

async function run(job: Job): Promise<Outcome> {
  const requests = await prepareRequests(job.load);
  const right = await askOnce(job.url, requests);
  // Connections of its own: one that is left over from the turn before may be closed by the server at any moment.
  const opened = await Promise.all(Array.from({ length: connections }, () => open(job.url)));
  try {
    const before = look(job);
    const answered = await hammer(opened, requests, right, job);
    const after = look(job);
    const seconds = after.at - before.at;
    const serverSeconds = after.server - before.server;
    return {
      answered,
      seconds,
      serverSeconds,
      clientSeconds: after.client - before.client,
      othersOnCore: (after.core - before.core - serverSeconds) / seconds,
    };
  } finally {
    for (const { socket } of opened) socket.destroy();
  }
}

function look({ pid, core }: Job) {
  return {
    at: performance.now() / 1000,
    server: processSeconds(pid),
    client: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    core: core === null ? Number.NaN : coreSeconds(core),
  };
}

interface Connection {
  socket: Socket;
  hear(bytes: Buffer): void;
}

async function open(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const connection = { hear: (_: Buffer) => {} };
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    // One piece of memory for all that comes, instead of a new one for each.
    onread: {
      buffer: Buffer.allocUnsafe(128 * 1024),
      callback(length, buffer) {
        connection.hear(Buffer.from(buffer.buffer, buffer.byteOffset, length));
        return true;
      },
    },
  });
  await once(socket, 'connect');
  return Object.assign(connection, { socket });
}

/** One request at a time on each connection, until the time is over or each was sent. Waits for the last answers. */
function hammer(open: Connection[], next: Requests, right: number, job: Job): Promise<number> {
  const { load, seconds, expectedStatus } = job;
  let left = load.kind === 'submission' ? load.amount : Number.POSITIVE_INFINITY;
  let asked = 0;
  let answered = 0;
  return new Promise((finish, fail) => {
    for (const connection of open) {
      const { socket } = connection;
      const ask = () => {
        if (left-- <= 0) return answered === asked && finish(answered);
        asked++;
        socket.write(next());
      };
      connection.hear = createAnswerReader((status, length) => {
        answered++;
        if (status === expectedStatus && length === right) ask();
        else fail(new Error(`Answered with ${status} and ${length} bytes, after ${answered} requests`));
      });
      socket.on('error', fail);
      socket.on('close', () => fail(new Error(`A connection was closed after ${answered} requests`)));
      ask();
    }
    if (load.kind === 'submission') return;
    setTimeout(() => {
      left = 0;
    }, seconds * 1000);
  });
}

/**
 * How long the right answer is, by one that is looked at closely: GraphQL says 200 to what it refuses, too, but at
 * another length.
 */
async function askOnce(url: string, next: Requests): Promise<number> {
  const connection = await open(url);
  const heard: Buffer[] = [];
  const length = await new Promise<number>((finish, fail) => {
    const read = createAnswerReader((_, length) => finish(length));
    connection.hear = (bytes) => {
      heard.push(Buffer.from(bytes));
      read(bytes);
    };
    connection.socket.on('error', fail).on('close', () => fail(new Error('A connection was closed')));
    connection.socket.write(next());
  });
  connection.socket.destroy();
  const [, body = ''] = Buffer.concat(heard).toString('latin1').split('\r\n\r\n');
  if (body.includes('"errors":[')) throw new Error(`Refused: ${body}`);
  return length;
}

process.on('message', async (job: Job) => {
  const outcome = await run(job).catch((error: Error) => ({ failed: `${error.message}` }));
  process.send?.(outcome);
});
process.on('disconnect', () => process.exit());
