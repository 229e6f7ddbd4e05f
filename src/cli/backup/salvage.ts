import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { TransferRow } from '../../server/store/rows/transfer-row.ts';
import { salvageCounts, salvageRows } from '../../server/store/transfer/damaged-database.ts';
import { type Command, CommandFailed, onlyOne } from '../command.ts';
import { print } from '../terminal.ts';
import { withStore } from '../with-store.ts';

/** Rows that are written in one transaction. */
const batch = 100;

export const salvage: Command = {
  summary: 'copy what can still be read in a damaged database into the one in use',
  usage: `awhina salvage FILE

  FILE   the damaged awhina.sqlite, moved out of DATA_DIR. It is only read. What the database in use has already
         stays as it is there, so that it does no harm to run this twice.`,

  async run(args) {
    const { positionals } = parseArgs({ args, options: {}, allowPositionals: true });
    const file = onlyOne(positionals, 'Say which file: awhina salvage damaged/awhina.sqlite');
    if (!existsSync(file)) throw new CommandFailed(`There is no file ${file}.`);
    return withStore(async (store) => {
      let found = 0;
      let imported = 0;
      let rows: TransferRow[] = [];
      const importBatch = async () => {
        imported += await store.importRows(rows);
        rows = [];
      };
      for (const row of readRows(file)) {
        found++;
        if (rows.push(row) === batch) await importBatch();
      }
      await importBatch();
      await store.mergeCounts(salvageCounts(file));
      print(`${found} found that can be read, ${imported} of them taken over; the others were here already.`);
      if (found > 0)
        print('The server mails what no mail server had accepted: ./awhina deliveries shows it.');
      return 0;
    });
  },
};

function* readRows(file: string): Generator<TransferRow> {
  try {
    yield* salvageRows(file);
  } catch (cause) {
    throw new CommandFailed(
      `${file} cannot be read at all: it is not a database, or is damaged from its first page on.`,
      { cause },
    );
  }
}
