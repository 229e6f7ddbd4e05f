const { spawn } = require('node:child_process');

/** npm does not forward SIGHUP, but a terminal that closes sends it to every process. */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program to its end and forwards every signal that would end this process. Resolves with the exit code, or with the
 * signal that ended the program. Node 18 must be able to parse this file.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { onChild?: (child: import('node:child_process').ChildProcess) => void }} [options]
 *   With `detached`, signals go to the program's whole process group.
 * @returns {Promise<number | NodeJS.Signals>}
 */
exports.runProgram = (command, args, { onChild, ...options } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    const target = options.detached ? -Number(child.pid) : Number(child.pid);
    const forward = (signal) => {
      try {
        process.kill(target, signal);
      } catch {
        // The program has just ended.
      }
    };
    const stopForwarding = () => {
      for (const signal of forwarded) process.off(signal, forward);
    };
    child.on('error', (error) => {
      stopForwarding();
      reject(error);
    });
    if (child.pid === undefined) return;
    for (const signal of forwarded) process.on(signal, forward);
    child.on('exit', (code, signal) => {
      stopForwarding();
      const settle = () => resolve(code ?? signal);
      if (!child.stdout) return settle();
      // Wait for the rest of the output, at most 2 s: a process that the program left behind may hold the pipe open.
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
 * @param {number | NodeJS.Signals} exit what runProgram resolved with
 */
exports.exitLike = (exit) => {
  if (typeof exit === 'number') process.exitCode = exit;
  else process.kill(process.pid, exit);
};
