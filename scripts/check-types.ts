import { spawn } from 'node:child_process';

/** One tsconfig a runtime, so that `window` is an error in the server and `process` in the browser. */
const projects = ['src/model', 'src/server', 'src/web', 'src/reader', 'test'];

const results = await Promise.all(
  projects.map(
    (project) =>
      new Promise<boolean>((resolve) => {
        const args = ['node_modules/typescript/bin/tsc', '-p', project];
        spawn(process.execPath, args, { stdio: 'inherit' }).on('exit', (code) => resolve(code === 0));
      }),
  ),
);
process.exit(results.every(Boolean) ? 0 : 1);
