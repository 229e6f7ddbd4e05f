import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.ts';
import type { TestServer } from '../../test/support/server.ts';
import { onCoreOf } from '../throughput/cores.ts';
import type { RecordedResponse } from '../throughput/recorded-response.ts';

// Debian installs nginx in a folder that only root's PATH has.
const env = { PATH: `${process.env.PATH}:/usr/sbin` };

/** Null where nginx is not installed. */
export const nginxVersion = (): string | null =>
  /nginx\/(\S+)/.exec(spawnSync('nginx', ['-v'], { encoding: 'utf8', env }).stderr ?? '')?.[1] ?? null;

/** Serves one page as a compressed file with the site's headers: about as fast as a web server gets. */
export async function startNginx(
  folder: string,
  path: string,
  { headers, body }: RecordedResponse,
): Promise<TestServer> {
  const port = await freePort();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'page'), body);
  const { 'content-type': type, 'content-length': _, etag: __, ...others } = headers;
  const quote = (value: unknown) => `"${`${value}`.replaceAll('"', '\\"')}"`;
  const added = Object.entries(others).map(([name, value]) => `add_header ${name} ${quote(value)};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${kind};`,
  );
  // One process, because every server has one core; and no bound on requests a connection, as with the others.
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid nginx.pid; error_log stderr;
     events {}
     http {
       ${temporary.join(' ')}
       access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; open_file_cache max=10;
       server {
         listen 127.0.0.1:${port};
         location = ${path} { alias ${join(folder, 'page')}; types {} default_type ${quote(type)}; ${added.join(' ')} }
       }
     }`,
  );
  const [program = '', ...args] = [...onCoreOf('server'), 'nginx', '-p', folder, '-e', 'stderr'];
  const child = spawn(program, [...args, '-c', join(folder, 'nginx.conf')], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines: string[] = [];
  child.stderr.on('data', (said) => lines.push(`${said}`));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(`${url}${path}`))) {
    if (child.exitCode !== null) throw new Error(`nginx ended:\n${lines.join('')}`);
    await pause(50);
  }
  return {
    url,
    process: child,
    lines,
    end(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

const answers = (url: string) =>
  fetch(url, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  );
