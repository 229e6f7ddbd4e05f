import { runCommand } from '../../src/cli/run-command.ts';
import type { CommandCall, Result } from './command.ts';

/** Runs one `awhina` command after another in the same process, for the test that forked it. */

function collect(stream: NodeJS.WriteStream): () => string {
  const { write } = stream;
  const chunks: Buffer[] = [];
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk));
    const written = rest.find((one): one is () => void => typeof one === 'function');
    if (written) process.nextTick(written);
    return true;
  };
  return () => {
    stream.write = write;
    return Buffer.concat(chunks).toString();
  };
}

process.on('message', async ({ args, env, cwd }: CommandCall) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  const [out, err] = [collect(process.stdout), collect(process.stderr)];
  const code = await runCommand(args);
  const result: Result = { code, out: out(), err: err() };
  process.send?.(result);
});
process.on('disconnect', () => process.exit());
