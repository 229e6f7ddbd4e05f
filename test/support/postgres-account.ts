import { execFileSync, spawnSync } from 'node:child_process';

/** Root may not run PostgreSQL, which gets an account of its own. */
export function makeAccount(): void {
  const isThere = process.getuid?.() !== 0 || spawnSync('id', ['postgres']).status === 0;
  if (isThere) return;
  execFileSync('groupadd', ['--force', 'postgres']);
  execFileSync('useradd', ['--gid', 'postgres', 'postgres']);
}
