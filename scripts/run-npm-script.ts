import { runProgram } from '../bin/run-program.cjs';

/** On Windows npm is no program but a batch file, which Node does not start. npm tells its scripts how it was started. */
const { npm_node_execpath: node, npm_execpath: npm } = process.env;

export const npmCommand = (args: string[]): [command: string, args: string[]] =>
  node && npm ? [node, [npm, ...args]] : ['npm', args];

export function runNpmScript(
  name: string,
  args: readonly string[] = [],
  options: Parameters<typeof runProgram>[2] = {},
): ReturnType<typeof runProgram> {
  // npm, a shell and a tool: only as a group do they end at once. Windows has no groups, and its Ctrl-C reaches them all.
  const detached = process.platform !== 'win32';
  return runProgram(...npmCommand(['run', '--silent', name, '--', ...args]), { detached, ...options });
}
