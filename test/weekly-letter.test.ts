import { expect, test } from 'vitest';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { makeDue } from './support/recurring.ts';
import { serve } from './support/running-server.ts';
import { mailTo, startSmtp } from './support/scripted-smtp.ts';
import { temporaryFolder } from './support/temporary.ts';

test('a server that finds last Monday’s letter not sent sends it to each mailbox, and the next start does not', async () => {
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  await makeDue(store, 'letter:help', 'letter:contact');
  await store.close();
  const smtp = await startSmtp();
  for (const start of ['first', 'second']) {
    const server = await serve({ DATA_DIR: dataDir, WEEKLY_LETTER: 'on', ...mailTo(smtp.port) });
    if (start === 'first') await expect.poll(() => smtp.seen).toHaveLength(2);
    expect(await server.end()).toBe(0);
  }
  const to = smtp.seen.map((mail) => mail.to.join());
  expect(to.toSorted()).toEqual(['contact@trust.example', 'help@trust.example']);
  for (const { raw } of smtp.seen)
    expect(raw).toContain('Subject: [Website] All well this week: nothing came in');
});
