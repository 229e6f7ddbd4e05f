/** Stores submissions and writes each acknowledged reference to its output. Run under strace by power-loss.test.ts. */
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { shippedContent } from './forms.ts';

const [folder = ''] = process.argv.slice(2);
const store = await openSqliteStore(folder);
let count = 0;
// Small groups and large ones, and enough of them for a few checkpoints.
for (let group = 0; group < 120; group++) {
  const waiting = Array.from({ length: group % 7 === 0 ? 20 : 2 }, () => {
    const number = ++count;
    return store.add({
      form: shippedContent.forms.help,
      answers: [{ key: 'Message', value: `sample ${number} `.repeat(150) }],
      verdict: { kind: 'clean' },
      tokenHash: `token ${number}`,
      answersHash: `answers ${number}`,
      receivedAt: new Date(),
    });
  });
  for (const added of await Promise.all(waiting)) {
    if (added.added) writeSync(1, `acknowledged ${added.receipt.reference}\n`);
  }
}
await store.close();
