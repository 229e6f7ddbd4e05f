import manifest from '../../package.json' with { type: 'json' };
import { setPrivateUmask } from '../server/files/private-file.ts';
import { BadSettings } from '../server/settings/settings.ts';
import { becomeOwner, userName } from '../server/start/data-owner.ts';
import { StoreUnavailable, StoreUnfit } from '../server/store/contract/errors.ts';
import { type Command, CommandFailed, Interrupted, UsageError } from './command.ts';
import { print, remark, styled } from './terminal.ts';

/** Loads only the command that was asked for, which then starts in two thirds of the time. */
const commands: Record<string, () => Promise<Command>> = {
  init: async () => (await import('./trust-folder/init.ts')).init,
  start: async () => (await import('./trust-folder/start.ts')).start,
  list: async () => (await import('./requests/list.ts')).list,
  show: async () => (await import('./requests/show.ts')).show,
  taken: async () => (await import('./requests/steps.ts')).taken,
  answered: async () => (await import('./requests/steps.ts')).answered,
  change: async () => (await import('./requests/change.ts')).change,
  open: async () => (await import('./sealing/open.ts')).open,
  report: async () => (await import('./report/report.ts')).report,
  stats: async () => (await import('./report/stats.ts')).stats,
  export: async () => (await import('./requests/export.ts')).exportSubmissions,
  deliveries: async () => (await import('./requests/deliveries.ts')).deliveries,
  'test-mail': async () => (await import('./mail/test-mail.ts')).testMailCommand,
  'test-alert': async () => (await import('./alerts/test-alert.ts')).testAlertCommand,
  erase: async () => (await import('./requests/erase.ts')).erase,
  purge: async () => (await import('./requests/purge.ts')).purge,
  losses: async () => (await import('./requests/losses.ts')).losses,
  languages: async () => (await import('./languages/languages.ts')).languages,
  check: async () => (await import('./check/check.ts')).check,
  salvage: async () => (await import('./backup/salvage.ts')).salvage,
  backup: async () => (await import('./backup/backup.ts')).backup,
  restore: async () => (await import('./backup/restore.ts')).restore,
  keygen: async () => (await import('./sealing/keygen.ts')).keygen,
};

async function findCommand(name: string): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) throw new UsageError(`There is no command ${name}.`);
  return load();
}

async function helpText(): Promise<string> {
  const summaries = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => `  ${name.padEnd(12)}${(await load()).summary}`),
  );
  return `${styled('bold', 'awhina')}: look after the requests that people sent through the website

${styled('bold', 'Commands')}
${summaries.join('\n')}
  ${'help'.padEnd(12)}this page; awhina help COMMAND says more about one
  ${'--version'.padEnd(12)}which version this is

${styled('bold', 'Examples')}
  ./awhina list --form help --since 2026-11-01
  ./awhina list --open
  ./awhina show HK7W-3RQX
  ./awhina taken HK7W-3RQX --by AB
  ./awhina change HK7W-3RQX --no-contact --by AB
  ./awhina export --csv --out requests.csv
  ./awhina deliveries retry --all
  ./awhina test-mail

${styled('bold', 'Settings')}
  The same environment as the server's: DATA_DIR or DATABASE_URL (where the requests are), CONTENT_DIR,
  RETENTION_DAYS, UNSEEN_RETENTION_DAYS, SEAL_TO. Run it in the trust's folder, as the user the server runs as, or as root.

${styled('bold', 'Exit codes')}
  0 done   1 failed   2 wrong usage   130 stopped with Ctrl-C`;
}

async function run([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    print(args[0] === undefined ? await helpText() : (await findCommand(args[0])).usage);
    return name === undefined ? 2 : 0;
  }
  if (name === '--version') {
    print(`awhina ${manifest.version}, on Node ${process.versions.node}`);
    return 0;
  }
  const command = await findCommand(name);
  if (args.includes('--help') || args.includes('-h')) {
    print(command.usage);
    return 0;
  }
  const owner = command.asOwner ? becomeOwner() : null;
  if (owner !== null && process.stderr.isTTY) remark(styled('dim', `As ${owner}, who owns DATA_DIR.`));
  return command.run(args);
}

/** The message and the exit code of an error. Only an unexpected error is shown with its stack. */
function explain(error: unknown): { code: number; message: string } {
  const wrong = (message: string) => ({
    code: 2,
    message: `${message}\nRun awhina help to see how to use it.`,
  });
  if (error instanceof Interrupted) return { code: 130, message: `\n${error.message}` };
  if (error instanceof UsageError) return wrong(error.message);
  if (String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS'))
    return wrong((error as Error).message);
  if ([CommandFailed, BadSettings, StoreUnfit].some((known) => error instanceof known))
    return { code: 1, message: (error as Error).message };
  if (error instanceof StoreUnavailable)
    return { code: 1, message: `The database could not be used just now: ${error.problem}.` };
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' && path !== undefined)
    return { code: 1, message: `${path} cannot be used by ${userName()}. awhina check says more.` };
  return { code: 1, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

/** @returns the exit code; errors are printed on stderr */
export async function runCommand(args: string[]): Promise<number> {
  setPrivateUmask();
  try {
    return await run(args);
  } catch (error) {
    const { code, message } = explain(error);
    remark(message);
    return code;
  }
}
