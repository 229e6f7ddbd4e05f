const { pathToFileURL } = require('node:url');
const ownNode = require('./own-node.cjs');
const { exitLike, runProgram } = require('./run-program.cjs');

/**
 * npm runs a script in a shell and forwards SIGTERM and SIGINT to that shell alone. dash, Debian's sh, dies of the signal
 * and leaves the program that it started running (docs/decisions/0091). Windows sends no such signals.
 */
function endWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 200);
  timer.unref();
}

/** Runs a script on the Node that npm installed with the packages: in this process if this is that Node, else in a child. */
module.exports = async (script, args) => {
  if (process.env.npm_lifecycle_event) endWithParent();
  if (process.execPath === ownNode) {
    process.argv.splice(1, process.argv.length, script, ...args);
    return import(pathToFileURL(script).href);
  }
  try {
    exitLike(await runProgram(ownNode, [script, ...args]));
  } catch {
    process.stderr.write('The project is not installed yet. Run npm ci first.\n');
    process.exitCode = 1;
  }
};
