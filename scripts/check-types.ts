import { runProgram } from '../bin/run-program.cjs';

/** Each runtime has a tsconfig, so that `window` is an error in the server and `process` in the browser. */
const projects = ['src/model', 'src/server', 'src/web', 'src/reader', 'test'];

const exits = await Promise.all(
  projects.map((project) => runProgram(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project])),
);
process.exitCode = exits.every((exit) => exit === 0) ? 0 : 1;
