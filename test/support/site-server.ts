import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SiteServer {
  url: string;
  contentDir: string;
  dataDir: string;
  /** Everything it has printed so far. */
  output(): string;
  stop(): Promise<void>;
}

export interface SiteServerOptions {
  env?: Record<string, string>;
  /** Changes to site.yaml in a copy of content/, as pairs of what stands there and what shall. */
  site?: readonly (readonly [string, string])[];
  development?: boolean;
}

const root = new URL('../../', import.meta.url).pathname;
const startMs = 20_000;

/** The real server in a process of its own, on a port the system picks, with its own data and content. */
export async function startSite({
  env = {},
  site = [],
  development = false,
}: SiteServerOptions = {}): Promise<SiteServer> {
  const folder = await mkdtemp(join(tmpdir(), 'awhina-site-'));
  const contentDir = join(folder, 'content');
  const dataDir = join(folder, 'data');
  await cp(join(root, 'content'), contentDir, { recursive: true });
  await editSite(contentDir, site);
  const server = spawn(process.execPath, ['src/server/main.ts', ...(development ? ['--dev'] : [])], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      CONTENT_DIR: contentDir,
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (part) => (output += part));
  const port = await listening(server, () => output);
  return {
    url: `http://localhost:${port}`,
    contentDir,
    dataDir,
    output: () => output,
    async stop() {
      if (server.exitCode === null) {
        const ended = new Promise((resolve) => server.once('exit', resolve));
        server.kill('SIGTERM');
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function editSite(
  contentDir: string,
  changes: readonly (readonly [string, string])[],
): Promise<void> {
  if (changes.length === 0) return;
  const path = join(contentDir, 'site.yaml');
  let text = await readFile(path, 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`site.yaml does not say ${from}`);
    text = text.replace(from, to);
  }
  await writeFile(path, text);
}

async function listening(server: ChildProcess, output: () => string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const timer = setTimeout(() => reject(new Error(`The server did not start:\n${output()}`)), startMs);
  const look = () => {
    const port = /"event":"listening","port":(\d+)/.exec(output())?.[1];
    if (port) resolve(Number(port));
  };
  server.stdout?.on('data', look);
  server.once('exit', () => reject(new Error(`The server ended:\n${output()}`)));
  return promise.finally(() => clearTimeout(timer));
}
