const { spawn } = require('node:child_process');

/** SIGHUP is not passed on by npm, but a terminal that closes sends it to every process. */
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program to its end, and passes on to it every signal that would end this process. Resolves with the exit code, or
 * with the signal that ended the program. Any Node from 18 on reads this file.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { onChild?: (child: import('node:child_process').ChildProcess) => void }} [options]
 *   `detached` also means that signals go to the program's whole process group.
 * @returns {Promise<number | NodeJS.Signals>}
 */
exports.runProgram = (command, args, { onChild, ...options } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    const target = options.detached ? -Number(child.pid) : Number(child.pid);
    const passOn = (signal) => {
      try {
        process.kill(target, signal);
      } catch {
        // The program has just ended by itself.
      }
    };
    const stopPassingOn = () => {
      for (const signal of passedOn) process.off(signal, passOn);
    };
    child.on('error', (error) => {
      stopPassingOn();
      reject(error);
    });
    if (child.pid === undefined) return;
    for (const signal of passedOn) process.on(signal, passOn);
    child.on('exit', (code, signal) => {
      stopPassingOn();
      const settle = () => resolve(code ?? signal);
      if (!child.stdout) return settle();
      // The rest of its output. A process that it left behind may hold the pipe open for ever.
      const timer = setTimeout(settle, 2_000);
      child.on('close', () => {
        clearTimeout(timer);
        settle();
      });
    });
    onChild?.(child);
  });

/**
 * Makes this process end as the program did.
 * @param {number | NodeJS.Signals} how what runProgram gave
 */
exports.endLike = (how) => {
  if (typeof how === 'number') process.exitCode = how;
  else process.kill(process.pid, how);
};
