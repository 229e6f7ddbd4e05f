import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

/** The engines other than Chromium that visitors have: the machine's own, or (got when it is not there) Debian's. */

export interface Engine {
  name: 'Firefox' | 'WebKit' | 'old WebKit';
  /** The programs it takes: a command, or a pattern for where Debian puts what is on no PATH. */
  programs: readonly string[];
  packages: readonly string[];
}

export const firefox: Engine = {
  name: 'Firefox',
  programs: ['firefox-esr'],
  packages: ['firefox-esr'],
};

export const webkit: Engine = {
  name: 'WebKit',
  programs: ['WebKitWebDriver', '/usr/lib/*/webkit2gtk-4.1/MiniBrowser', 'Xvfb'],
  packages: ['webkit2gtk-driver', 'xvfb'],
};

/** Of the age of Safari 16.0. A newer Debian has a newer one, so its version is told. */
export const oldWebkit: Engine = {
  name: 'old WebKit',
  programs: ['WPEWebDriver', '/usr/lib/*/wpe-webkit-*/MiniBrowser'],
  packages: ['wpewebkit-driver', 'libwpebackend-fdo-1.0-1'],
};

type FoundEngine = { paths: string[] } | { missing: string };

/** Where its programs are, in their order; null where one is missing. */
function findEngine({ programs }: Engine): string[] | null {
  const paths = programs.map(findProgram);
  return paths.every((path) => path !== null) ? paths : null;
}

function findProgram(program: string): string | null {
  if (program.startsWith('/')) return globSync(program)[0] ?? null;
  const { status, stdout } = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Finds it, else fetches it, else says in a line why not: whoever has no Debian can still run everything else. */
export function getEngine(engine: Engine): FoundEngine {
  const found = findEngine(engine);
  if (found) return { paths: found };
  const wanted = engine.packages.join(' ');
  if (!existsSync('/usr/bin/apt-get'))
    return { missing: `it is not here, and only Debian's is known: ${wanted}` };
  if (process.getuid?.() !== 0) return { missing: `it is not here; as root: apt-get install ${wanted}` };
  console.log(`No ${engine.name} here yet: apt-get install ${wanted}`);
  const install = `apt-get update -q && apt-get install -q -y --no-install-recommends ${wanted}`;
  const { status } = spawnSync('sh', ['-c', install], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  const got = findEngine(engine);
  return got ? { paths: got } : { missing: `apt-get install ${wanted} ended with ${status}` };
}
