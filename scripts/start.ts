import { exitLike, runProgram } from '../bin/run-program.cjs';
import { nodeFlags } from './node-flags.ts';
import { runNpmScript } from './run-npm-script.ts';

/** `npm start`: builds the pages, then serves them. */

const built = await runNpmScript('build');
// As in deploy/: packages then leave out their checks for developers.
const env = { NODE_ENV: 'production', ...process.env };
exitLike(built || (await runProgram(process.execPath, [...nodeFlags, 'src/server/main.ts'], { env })));
