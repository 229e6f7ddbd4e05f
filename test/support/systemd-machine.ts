import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary.ts';

/** A container without a network in which Debian was booted by systemd, for tests that need a real systemd. */

/** What docs/installing.md installs by apt, and curl to look at the site with. */
const packages = 'systemd,systemd-sysv,dbus,ca-certificates,libatomic1,npm,caddy,curl';
const tree = join(tmpdir(), 'awhina-debian-12');

/** Why no such container can run here, in a line; null where one can. */
export function findObstacle(): string | null {
  if (process.getuid?.() !== 0) return 'only root can boot a container';
  for (const program of ['systemd-nspawn', 'mmdebstrap', 'nsenter'])
    if (spawnSync(program, ['--version']).error) return `${program} is not here`;
  return null;
}

/** Fetched once, in some minutes, and cached. */
function makeTree(): void {
  if (existsSync(tree)) return;
  const part = `${tree}.${process.pid}`;
  try {
    const args = ['--quiet', '--variant=minbase', `--include=${packages}`, 'bookworm', part];
    execFileSync('mmdebstrap', args, { stdio: 'pipe' });
    // Without it Caddy asks the network where localhost is.
    writeFileSync(join(part, 'etc/hosts'), '127.0.0.1 localhost\n');
    // The packages are here already, and there is no network to ask for newer ones.
    writeFileSync(join(part, 'usr/local/sbin/apt-get'), '#!/bin/sh\n', { mode: 0o755 });
    renameSync(part, tree);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

export interface Machine {
  /** Its files, seen from here. */
  root: string;
  /** Types the commands as root, in root's home. @throws with what they said, where one fails. */
  type(commands: string, input?: string): string;
}

export async function bootMachine(): Promise<Machine> {
  makeTree();
  const root = join(temporaryFolder(), 'machine');
  execFileSync('cp', ['--archive', '--reflink=auto', tree, root]);
  const npmCache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
  const child = spawn(
    'systemd-nspawn',
    [
      '--boot',
      '--quiet',
      '--register=no',
      '--keep-unit',
      '--private-network',
      // npm takes the packages from the cache of this machine, and leaves it as it is.
      `--overlay=${npmCache}:${temporaryFolder()}:/root/.npm`,
      `--directory=${root}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const said: Buffer[] = [];
  child.stderr.on('data', (chunk) => said.push(chunk));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`systemd-nspawn ended:\n${Buffer.concat(said)}`);
  });
  ended.catch(() => {});
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended.catch(() => {});
  });

  const type = (commands: string, input = '') => {
    const [leader = ''] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
    const enter = ['-t', leader, '-m', '-u', '-i', '-n', '-p', '-C', '-r', '-w'];
    const env = {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: '/root',
      npm_config_offline: 'true',
    };
    const shell = ['sh', '-euc', `cd /root; ${commands}`];
    const { status, stdout, stderr } = spawnSync('nsenter', [...enter, ...shell], {
      env,
      input,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${commands}\n\nended with ${status}:\n${stdout}${stderr}`);
    return stdout;
  };
  const isUp = () => {
    try {
      return /running|degraded/.test(type('systemctl is-system-running || true'));
    } catch {
      return false;
    }
  };
  while (!isUp()) await Promise.race([setTimeout(200), ended]);
  return { root, type };
}
