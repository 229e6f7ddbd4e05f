import { endLike, runProgram } from '../bin/run-program.cjs';
import { nodeFlags } from './node-flags.ts';
import { runNpmScript } from './run-npm-script.ts';

/** What `npm start` does: builds the pages, then serves them. */

const built = await runNpmScript('build');
// As deploy/ has it: packages leave out then what only helps those who change them.
const env = { NODE_ENV: 'production', ...process.env };
endLike(built || (await runProgram(process.execPath, [...nodeFlags, 'src/server/main.ts'], { env })));
