/** Sends forms as fast as the server takes them, from a process of its own, until it is ended. */
import { mintToken } from '../test/support/tokens.ts';
import { submitForms } from './load.ts';

const [url = ''] = process.argv.slice(2);
const batch = () => Promise.all(Array.from({ length: 2_000 }, () => mintToken()));
process.stdout.write('{"event":"listening","port":0}\n');
// Some are refused where the database is locked meanwhile: they are load all the same.
for (;;) await submitForms(url, await batch()).catch(() => {});
