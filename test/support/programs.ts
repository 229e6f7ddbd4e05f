import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

/** Programs that some tests need: the machine's own, or else Debian's, which are then fetched. */

export interface Wanted {
  name: string;
  /** A command, or a pattern for where Debian puts what is on no PATH. */
  programs: readonly string[];
  packages: readonly string[];
  /** Debian starts the program as a service once it is installed, which a developer's own machine does not need. */
  isService?: boolean;
}

export type Found = { paths: string[] } | { missing: string };

/** Where its programs are, in their order; null where one is missing. */
function findAll({ programs }: Wanted): string[] | null {
  const paths = programs.map(findProgram);
  return paths.every((path) => path !== null) ? paths : null;
}

function findProgram(program: string): string | null {
  if (program.startsWith('/')) return globSync(program)[0] ?? null;
  const find = `PATH="$PATH:/usr/sbin" command -v ${program}`;
  const { status, stdout } = spawnSync('sh', ['-c', find], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Finds the programs, else fetches them, else says in a line why not: without Debian all other tests can still run. */
export function getPrograms(wanted: Wanted): Found {
  const found = findAll(wanted);
  if (found) return { paths: found };
  const packages = wanted.packages.join(' ');
  if (!existsSync('/usr/bin/apt-get'))
    return { missing: `it is not here, and only Debian's is known: ${packages}` };
  if (process.getuid?.() !== 0) return { missing: `it is not here; as root: apt-get install ${packages}` };
  if (wanted.isService && existsSync('/run/systemd/system'))
    return { missing: `it is not here, and would be started here by: apt-get install ${packages}` };
  process.stdout.write(`No ${wanted.name} here yet: apt-get install ${packages}\n`);
  const install = `apt-get update -q && apt-get install -q -y --no-install-recommends ${packages}`;
  const { status } = spawnSync('sh', ['-c', install], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  const got = findAll(wanted);
  return got ? { paths: got } : { missing: `apt-get install ${packages} ended with ${status}` };
}
