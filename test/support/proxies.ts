import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary.ts';
import { testCertificate } from './test-certificate.ts';

/** nginx and Caddy with the very files in deploy/, but for the names, ports and certificates of the machine. */

export type ProxyName = 'nginx' | 'caddy';

// Debian has nginx where only root looks.
const path = `${process.env.PATH}:/usr/sbin`;
const versions = { nginx: '-v', caddy: 'version' };
export const isInstalled = (name: ProxyName) =>
  spawnSync(name, [versions[name]], { env: { PATH: path } }).status === 0;

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface RunningProxy {
  get(path: string): Promise<Answer>;
  post(path: string, type: string, body: string): Promise<Answer>;
  /** Its address without encryption. */
  plainUrl: string;
  /** Everything in all logs of the proxy. */
  logs(): string;
  /** Where nginx would put a body that is too long for its memory. */
  bodies: string;
  /** The folder in place of /var/www/html. */
  html: string;
}

interface Options {
  /** Where the site is: a port, or several. */
  to: readonly number[];
  /** A change to the file in deploy/. */
  edit?: (config: string) => string;
  /** The folder into which a site writes what is shown while it is away. */
  away?: string;
}

export async function startProxy(
  name: ProxyName,
  { to, edit = (config) => config, away = temporaryFolder() }: Options,
): Promise<RunningProxy> {
  const folder = temporaryFolder();
  const bodies = join(folder, 'bodies');
  const log = join(folder, 'log');
  for (const made of [bodies, log]) mkdirSync(made);
  writeFileSync(join(folder, 'cert.pem'), testCertificate.cert);
  writeFileSync(join(folder, 'key.pem'), testCertificate.key);

  const port = await freePort();
  const plainPort = await freePort();
  const make = { nginx: makeNginx, caddy: makeCaddy }[name];
  const args = make({ folder, away, port, plainPort, to, edit });
  const said = join(log, 'said');
  const child = spawn(name, args, { cwd: folder, env: { PATH: path, HOME: folder }, stdio: 'pipe' });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const logs = () => {
    writeFileSync(said, Buffer.concat(output));
    const files = ['said', 'access.log', 'error.log'].map((file) => readIfThere(join(log, file)));
    return files.join('');
  };
  const failed = ended.then(() => Promise.reject(new Error(`${name} ended:\n${logs()}`)));
  failed.catch(() => {});
  const session = await Promise.race([connectOnce(port), failed]);
  onTestFinished(() => session.destroy());
  return {
    get: (path) => ask(session, { ':path': path }),
    post: (path, type, body) =>
      ask(session, { ':path': path, ':method': 'POST', 'content-type': type }, body),
    logs,
    bodies,
    plainUrl: `http://localhost:${plainPort}`,
    html: join(folder, 'html'),
  };
}

interface Made {
  folder: string;
  away: string;
  port: number;
  plainPort: number;
  to: readonly number[];
  edit: (config: string) => string;
}

/** Only in lines that say where to listen: the number of a port may be part of another. */
function makeNginx({ folder, away, port, plainPort, to, edit }: Made): string[] {
  const listen = (from: number, to: number) =>
    [new RegExp(`^(\\s*listen (?:\\[::\\]:)?)${from}\\b`, 'gm'), `$1${to}`] as const;
  const servers = to.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(' ');
  const site = edit(readFileSync('deploy/nginx.conf', 'utf8'))
    .replace('server 127.0.0.1:3000 max_fails=0;', servers)
    .replace(...listen(443, port))
    .replace(...listen(80, plainPort))
    .replaceAll('/var/cache/awhina', away)
    .replaceAll('/var/www/html', join(folder, 'html'))
    .replaceAll(/\/etc\/letsencrypt\S*fullchain\.pem/g, `${folder}/cert.pem`)
    .replaceAll(/\/etc\/letsencrypt\S*privkey\.pem/g, `${folder}/key.pem`);
  writeFileSync(join(folder, 'site.conf'), site);
  const kinds = ['proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    join(folder, 'nginx.conf'),
    // What Debian's own nginx.conf has: a log of visitors, and compression.
    `daemon off; master_process off; pid nginx.pid; error_log log/error.log info; events {} http {
      access_log log/access.log; gzip on; client_body_temp_path bodies;
      ${kinds.map((kind) => `${kind}_temp_path ${kind};`).join(' ')} include site.conf; }`,
  );
  return ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'log/error.log')];
}

function makeCaddy({ folder, away, port, plainPort, to, edit }: Made): string[] {
  const addresses = to.map((port) => `127.0.0.1:${port}`);
  const config = edit(readFileSync('deploy/Caddyfile', 'utf8'))
    .replace('\n{\n', `\n{\nadmin off\nhttp_port ${plainPort}\n`)
    .replace(
      '\nwww.trust.example {',
      `\nhttps://localhost:${port} {\ntls ${folder}/cert.pem ${folder}/key.pem`,
    )
    .replace('\nhttp://www.trust.example {', `\nhttp://localhost:${plainPort} {`)
    .replaceAll('/var/cache/awhina', away)
    .replace('127.0.0.1:3000', addresses.join(' '))
    .replace('127.0.0.1:3000', addresses.toReversed().join(' '));
  writeFileSync(join(folder, 'Caddyfile'), config);
  return ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
}

/** As a browser does it: TLS, then HTTP/2, or nothing. */
async function connectOnce(port: number): Promise<ClientHttp2Session> {
  for (;;) {
    const session = connect(`https://localhost:${port}`, { ca: testCertificate.cert, ALPNProtocols: ['h2'] });
    try {
      await once(session, 'connect');
      return session;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
    }
  }
}

async function ask(session: ClientHttp2Session, headers: Record<string, string>, body = ''): Promise<Answer> {
  const stream = session.request(
    { 'x-forwarded-for': '203.0.113.7', ...headers },
    { endStream: body === '' },
  );
  if (body !== '') stream.end(body);
  const [answer] = await once(stream, 'response');
  return { status: answer[':status'], headers: answer, text: await text(stream) };
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
