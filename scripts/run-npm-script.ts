import { runProgram } from '../bin/run-program.cjs';

/** On Windows npm is a batch file, which Node cannot start. npm tells its scripts by which program and file it runs. */
const { npm_node_execpath: node, npm_execpath: npm } = process.env;

export const npmCommand = (args: string[]): [command: string, args: string[]] =>
  node && npm ? [node, [npm, ...args]] : ['npm', args];

export function runNpmScript(
  name: string,
  args: readonly string[] = [],
  options: Parameters<typeof runProgram>[2] = {},
): ReturnType<typeof runProgram> {
  // Signals must reach npm, its shell and the tool, so they get a process group. Windows has none; its Ctrl-C reaches all.
  const detached = process.platform !== 'win32';
  return runProgram(...npmCommand(['run', '--silent', name, '--', ...args]), { detached, ...options });
}
