import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startScript } from './server.ts';
import { temporaryFolder } from './temporary.ts';

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
  /** Other changes to that copy. */
  prepare?: (contentDir: string) => Promise<void>;
  development?: boolean;
}

/** The real server in a process of its own, on a port the system picks, with its own data and content. */
export async function startSite({
  env = {},
  site = [],
  prepare,
  development = false,
}: SiteServerOptions = {}): Promise<SiteServer> {
  const folder = await mkdtemp(join(tmpdir(), 'awhina-site-'));
  const contentDir = join(folder, 'content');
  const dataDir = join(folder, 'data');
  await cp('content', contentDir, { recursive: true });
  await editSite(contentDir, site);
  await prepare?.(contentDir);
  const server = await startScript('src/server/main.ts', development ? ['--dev'] : [], {
    HOME: process.env.HOME ?? '',
    CONTENT_DIR: contentDir,
    DATA_DIR: dataDir,
    ...env,
  });
  return {
    url: server.url.replace('127.0.0.1', 'localhost'),
    contentDir,
    dataDir,
    output: () => server.lines.join('\n'),
    async stop() {
      await server.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A copy of content/ whose site.yaml is changed. */
export async function copyContent(changes: readonly (readonly [string, string])[]): Promise<string> {
  const contentDir = join(temporaryFolder(), 'content');
  await cp('content', contentDir, { recursive: true });
  await editSite(contentDir, changes);
  return contentDir;
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
