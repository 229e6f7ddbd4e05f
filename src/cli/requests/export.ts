import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { safeJson } from '../../server/delivery/printable.ts';
import type { SubmissionFilter } from '../../server/store/contract/archive.ts';
import type { Store } from '../../server/store/contract/submission-store.ts';
import { type Command, CommandFailed, UsageError } from '../command.ts';
import { createOpenAnswers, type OpenAnswers } from '../sealing/identity-file.ts';
import { createProgress, remark } from '../terminal.ts';
import { byteOrderMark, columnsOf, csvHead, csvRow } from './csv.ts';
import { exportedSubmission } from './exported-submission.ts';
import { filterOptions, filterUsage, readFilter } from './filter-options.ts';
import { withStore } from './with-store.ts';

type Format = 'csv' | 'json';

export const exportSubmissions: Command = {
  summary: 'export all requests, for a spreadsheet or a program',
  usage: `awhina export --csv|--json [options]

${filterUsage}
  --out FILE            write to this file, which only you can read
  --force               overwrite that file if it exists
  --identity FILE       the private key that opens sealed answers`,

  async run(args) {
    const options = {
      ...filterOptions,
      csv: { type: 'boolean' },
      json: { type: 'boolean' },
      out: { type: 'string' },
      force: { type: 'boolean' },
      identity: { type: 'string' },
    } as const;
    const { values } = parseArgs({ args, options });
    if (values.csv === values.json)
      throw new UsageError('Say which: awhina export --csv, or awhina export --json');
    const filter = readFilter(values);
    const { out, force = false } = values;
    if (out !== undefined && !force && (await isFile(out))) throw taken(out);
    const openAnswers = createOpenAnswers(values.identity);

    return withStore(async (store) => {
      const { total, sealed } = await store.countSubmissions(filter);
      if (sealed > 0 && values.identity === undefined) {
        throw new CommandFailed(
          `${sealed} of these ${total} are sealed. Add --identity FILE, with the private key that opens them.`,
        );
      }
      const progress = createProgress(total);
      const lines = writeLines(store, filter, values.csv ? 'csv' : 'json', openAnswers, progress.at);
      if (out) await writeWhole(out, lines, force);
      else await pipeline(Readable.from(lines), process.stdout, { end: false });
      progress.end();
      if (out) remark(`${total} written to ${out}`);
      return 0;
    });
  },
};

const taken = (path: string) =>
  new CommandFailed(`${path} already exists. Choose another with --out FILE, or add --force.`);

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/**
 * Under another name until it is complete: a file that was there may be open to others, and a half of one would pass
 * for the whole.
 */
async function writeWhole(path: string, lines: AsyncIterable<string>, force: boolean): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const partial = `${target}.${randomUUID()}.partial`;
  try {
    // What is no file, such as a pipe or a device, cannot be replaced.
    const inPlace = await stat(path).then(
      (found) => !found.isFile() && !found.isDirectory(),
      () => false,
    );
    if (inPlace) return await pipeline(Readable.from(lines), createWriteStream(path));
    await pipeline(
      Readable.from(lines),
      createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true }),
    );
    if (force) return await rename(partial, target);
    // A name that was free a moment ago may not be now: a link is made only where there is none.
    await link(partial, target).catch(async (error: NodeJS.ErrnoException) => {
      // A memory stick knows no links. There the name is taken first, and then given to the whole file.
      if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(error.code ?? '')) throw error;
      await writeFile(target, '', { flag: 'wx', mode: 0o600 });
      await rename(partial, target);
    });
    await rm(partial, { force: true });
  } catch (error) {
    await rm(partial, { force: true });
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await isFile(path))) throw taken(path);
    if (!syscall) throw error;
    throw new CommandFailed(`${path} could not be written (${code}).`, { cause: error });
  }
}

async function* writeLines(
  store: Store,
  filter: SubmissionFilter,
  format: Format,
  openAnswers: OpenAnswers,
  onProgress: (done: number) => void,
): AsyncGenerator<string> {
  const columns = columnsOf(await store.listDefinitions(filter));
  yield format === 'csv' ? `${byteOrderMark}${csvHead(columns)}` : '[';
  let done = 0;
  for await (const kept of store.iterateSubmissions(filter)) {
    const submission = await openAnswers(kept);
    if (format === 'csv') yield csvRow(columns, submission);
    else yield `${done === 0 ? '\n' : ',\n'}${safeJson(exportedSubmission(submission))}`;
    onProgress(++done);
  }
  if (format === 'json') yield '\n]\n';
}
