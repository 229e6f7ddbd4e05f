import { parseArgs } from 'node:util';
import { generateKeyPair } from '../../server/submissions/seal.ts';
import type { Command } from '../command.ts';
import { writeNew } from '../command-files.ts';
import { print, styled } from '../terminal.ts';

export const keygen: Command = {
  summary: 'make a pair of keys, to seal the answers on the server',
  usage: `awhina keygen [--out FILE]

  --out FILE   write the private key to this file, which only you can read, and not to the screen`,

  async run(args) {
    const { values } = parseArgs({ args, options: { out: { type: 'string' } } });
    const { identity, recipient } = await generateKeyPair();
    const file = `# Private key for sealed requests. Anyone who has it can read them; without it nobody can.\n# public key: ${recipient}\n${identity}\n`;
    if (values.out) writeNew(values.out, file);
    print(`${styled('bold', 'The public half')} goes to the server, as a setting. It can only seal, so it is no secret:

  SEAL_TO=${recipient}

${styled('bold', 'The private half')} opens what was sealed. ${
      values.out
        ? `It is in ${values.out}.`
        : `Copy these three lines into a file:

${file}`
    }
Keep it away from the server: on the computer of whoever reads the requests, and a copy on paper or on
a USB stick in the trust's safe. If the server is stolen or broken into, sealed requests stay unread.
If the private half is lost, nobody can read them ever again, so keep two copies.

To have several people read them, each makes a pair, and SEAL_TO lists all the public halves with commas.
To open a request: awhina show REFERENCE --identity FILE, or on another computer the page that
awhina open --make-reader reader.html writes.`);
    return 0;
  },
};
