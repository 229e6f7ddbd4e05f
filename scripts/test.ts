import { spawnSync } from 'node:child_process';

/** Every check there is, the quick ones first; the first that fails ends the run. */
const steps = ['check', 'build', 'test:unit', 'test:browser', 'test:engines'];

for (const step of steps) {
  console.log(`\n— npm run ${step}`);
  const { status } = spawnSync('npm', ['run', '--silent', step], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
