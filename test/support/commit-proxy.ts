import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The simple query that node-postgres sends: its kind, its length with itself, its text and a zero. */
const commit = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');

export interface CommitProxy {
  /** The database's URL through this proxy. */
  url: string;
  /**
   * Loses the connection at the next COMMIT: before the database gets it, or after it was done and before its answer
   * arrives. Resolves once that happened; `thenAway`: nobody gets through from then on.
   */
  loseNext(when: 'before' | 'after', options?: { thenAway?: boolean }): Promise<void>;
  /** Whether connections are passed on. */
  setAway(away: boolean): void;
}

/** Stands between a server and PostgreSQL. */
export async function startCommitProxy(database: string): Promise<CommitProxy> {
  const target = new URL(database);
  const open = new Set<Socket>();
  let isAway = false;
  let lost: { when: 'before' | 'after'; thenAway: boolean; happened: () => void } | null = null;

  const setAway = (away: boolean) => {
    isAway = away;
    if (away) for (const socket of open) socket.destroy();
  };
  const lose = ({ thenAway, happened }: NonNullable<typeof lost>, sockets: Socket[]) => {
    for (const socket of sockets) socket.destroy();
    if (thenAway) setAway(true);
    happened();
  };

  const server = createServer((client) => {
    if (isAway) return client.destroy();
    const behind = connect(Number(target.port), target.hostname);
    let losing: typeof lost = null;
    for (const [socket, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (bytes: Buffer) => {
      if (lost && bytes.includes(commit)) {
        losing = lost;
        lost = null;
        if (losing.when === 'before') return lose(losing, [client, behind]);
      }
      behind.write(bytes);
    });
    behind.on('data', (bytes: Buffer) => {
      // PostgreSQL answers a COMMIT once the transaction is on its disk.
      if (losing) lose(losing, [client, behind]);
      else client.write(bytes);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    setAway(true);
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(database), { port: String(port) }).href,
    setAway,
    loseNext: (when, { thenAway = false } = {}) =>
      new Promise((happened) => {
        lost = { when, thenAway, happened };
      }),
  };
}
