import { runCommand } from './run-command.ts';

/** The `awhina` command, for the person who runs the site. It works beside the running server, on its database. */

// `awhina list | head` closes the pipe early, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await runCommand(process.argv.slice(2));
