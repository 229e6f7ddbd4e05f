import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { safeJson } from '../../server/delivery/letter/printable.ts';
import type { Store } from '../../server/store/contract/store.ts';
import type { SubmissionFilter } from '../../server/store/contract/submission.ts';
import { type Command, CommandFailed, UsageError } from '../command.ts';
import { refuseExisting, writeAllOrNothing } from '../command-files.ts';
import { createOpenAnswers, type OpenAnswers } from '../sealing/private-key.ts';
import { createProgress, remark } from '../terminal.ts';
import { withStore } from '../with-store.ts';
import { byteOrderMark, columnsOf, csvHead, csvRow } from './csv.ts';
import { exportedSubmission } from './exported-submission.ts';
import { filterOptions, filterUsage, readFilter } from './filter-options.ts';

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
    if (out !== undefined) await refuseExisting(out, force);
    const openAnswers = createOpenAnswers(values.identity);

    return withStore(async (store) => {
      const { total, sealed } = await store.countSubmissions(filter);
      if (sealed > 0 && values.identity === undefined) {
        throw new CommandFailed(
          `${sealed} of these ${total} are sealed. Add --identity FILE, with the private key that opens them.`,
        );
      }
      const progress = createProgress();
      const onProgress = (done: number) => {
        if (total >= 500) progress.say(`${done.toLocaleString('en-NZ')} of ${total.toLocaleString('en-NZ')}`);
      };
      const lines = writeLines(store, filter, values.csv ? 'csv' : 'json', openAnswers, onProgress);
      if (out) await writeAllOrNothing(out, lines, force);
      else await pipeline(Readable.from(lines), process.stdout, { end: false });
      progress.end();
      if (out) remark(`${total} written to ${out}`);
      return 0;
    });
  },
};

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
  for await (const stored of store.iterateSubmissions(filter)) {
    const submission = await openAnswers(stored);
    if (format === 'csv') yield csvRow(columns, submission);
    else yield `${done === 0 ? '\n' : ',\n'}${safeJson(exportedSubmission(submission))}`;
    onProgress(++done);
  }
  if (format === 'json') yield '\n]\n';
}
