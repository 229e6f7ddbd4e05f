import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { findSealed, writeOpened } from '../../server/delivery/letter/sealed-file.ts';
import { createOpen } from '../../server/submissions/seal.ts';
import { type Command, CommandFailed, UsageError } from '../command.ts';
import { readInput, writeNew } from '../command-files.ts';
import { letterForTerminal, print } from '../terminal.ts';
import { readIdentity } from './private-key.ts';
import { makeReader } from './reader-page.ts';

export const open: Command = {
  summary: 'a sealed mail on your own computer, without the server',
  usage: `awhina open FILE --identity KEY
awhina open --make-reader reader.html

  FILE               the sealed attachment (.age), or the mail with it saved as a file (.eml)
  --identity KEY     the private key that opens it
  --make-reader      write a page that opens sealed mail in any browser, with no internet and nothing else installed.
                     Give it to the people who read the requests. Their key never leaves it.`,

  async run(args) {
    const options = { identity: { type: 'string' }, 'make-reader': { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [file, ...more] = positionals;
    const page = values['make-reader'];
    if (page !== undefined && file === undefined) return writeReader(page);
    if (file === undefined || more.length > 0 || page !== undefined || values.identity === undefined)
      throw new UsageError('Say which file and which key: awhina open HK7W-3RQX.age --identity key.txt');
    const openSealed = readIdentity(values.identity, createOpen);
    const parts = await findSealed(readInput(file), basename(file));
    if (parts.length === 0) throw new CommandFailed(`There is nothing sealed in ${file}.`);
    for (const part of parts) {
      const opened = await openSealed(part.file).catch((cause) => {
        throw new CommandFailed(
          `The key in ${values.identity} does not open ${part.reference ?? file}. It was sealed to another key, or is incomplete.`,
          { cause },
        );
      });
      print(letterForTerminal(writeOpened(opened, part.reference)));
    }
    return 0;
  },
};

async function writeReader(path: string): Promise<number> {
  writeNew(path, await makeReader());
  print(`${path} opens sealed mail in any browser. Give it to the person who has the private key.`);
  return 0;
}
