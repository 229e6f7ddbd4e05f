import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import PostalMime from 'postal-mime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFolderTransport } from '../src/server/delivery/folder/folder-transport.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { awhinaShared } from './support/command.ts';
import { workerFor } from './support/delivery.ts';
import { eachStore, openStore } from './support/each-store.ts';
import { shippedContent } from './support/forms.ts';
import { claimReminders } from './support/jobs.ts';
import { storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';

/** Rows of a backup that are damaged, or that somebody has changed: later requests must not suffer from them. */

const now = () => new Date();
const word = (n: number) => `Kanari${n}${n}whero${n}${n}kanari${n}${n}`;
const { definition } = shippedContent.forms.help;
const databases = eachStore();

/** A backup of a site with this many requests, in whose database `sql` was run. */
async function backUpSite(sql: string, count = 2) {
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  const references: string[] = [];
  for (let n = 1; n <= count; n++) {
    const answers = { Message: word(n) };
    references.push(await storeSubmission(store, { receivedAt: now(), urgent: n === 1, answers }));
  }
  await store.close();
  using db = new DatabaseSync(join(dataDir, 'awhina.sqlite'), { enableForeignKeyConstraints: false });
  db.exec(sql);
  const file = join(temporaryFolder(), 'site.backup');
  expect(await awhinaShared(['backup', file], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  return { references, file };
}

const damage = {
  'a form under the name of another': `UPDATE definitions SET definition = '[]'`,
  'a form that is no JSON': `UPDATE definitions SET definition = 'no JSON'`,
  'a form without questions that can be read': `UPDATE definitions SET definition = '[null, {"key": 1}]'`,
  'no form': 'DELETE FROM definitions',
  'answers that are no JSON': `UPDATE submissions SET answers = '${word(1)}, ${word(2)}'`,
  'answers of another kind': `UPDATE submissions SET answers = '["${word(1)}", "${word(2)}"]'`,
  'a verdict that is no JSON': `UPDATE submissions SET verdict = 'clean'`,
  'a verdict of another kind': `UPDATE submissions SET verdict = '{"kind":"no-script"}'`,
  'a job without a request':
    "INSERT INTO jobs (kind, key, submission, due_at) SELECT 'mail', 'mail:WWWW-3333', max(id) + 1, received_at FROM submissions",
  'requests without jobs': 'DELETE FROM jobs',
  'the highest number': `
    UPDATE submissions SET id = 9223372036854775807 WHERE id = 2;
    UPDATE jobs SET submission = 9223372036854775807 WHERE submission = 2`,
  'a number below the first': `
    UPDATE submissions SET id = -5 WHERE id = 2; UPDATE jobs SET submission = -5 WHERE submission = 2`,
  'times that are none': `
    UPDATE submissions SET received_at = 'yesterday', accepted_at = 'then', answered_at = 'later';
    UPDATE jobs SET due_at = 'soon';
    INSERT INTO times (name, at) VALUES ('erase', 'never')`,
  'counts beyond all bounds':
    'UPDATE jobs SET attempts = 9223372036854775807, rank = -1; UPDATE submissions SET rank = -1',
  'zeroed bytes': `
    UPDATE submissions SET answers = answers || char(0), token_hash = token_hash || char(0), language = char(0);
    UPDATE jobs SET last_error = char(0);
    UPDATE counts SET value = char(0)`,
  'counts that are none': `UPDATE submissions SET counts = '[1, null, {"kind":null}]'; UPDATE counts SET count = 9223372036854775807`,
  'times before and after all years': `
    UPDATE submissions SET received_at = '+275760-09-13T00:00:00.000Z', read_at = '0000-01-01T00:00:00.000Z';
    UPDATE jobs SET due_at = '-271821-04-20T00:00:00.000Z'`,
  'the highest numbers': `
    UPDATE jobs SET attempts = 2147483647, rank = 2147483647`,
  'flags that are neither yes nor no': `
    UPDATE submissions SET canary = 2, urgent = 2`,
  'jobs that are none': `UPDATE jobs SET kind = 'x' || id, due_at = 'soon'`,
  'jobs of another request': `UPDATE jobs SET key = 'remind team:WWWW-' || id, submission = 2`,
  'a form that the site does not have': `UPDATE submissions SET form = 'order'`,
  'a reference that names a file': `UPDATE submissions SET reference = '../../' || reference WHERE id = 1`,
};

describe.each(databases)('restored into %s, a backup', (_name, target) => {
  test.each(Object.entries(damage))('with %s loses nothing that came, or comes later', async (_what, sql) => {
    const { file } = await backUpSite(sql);
    const place = await target.open();
    await place.close();
    const { code, out, err } = await awhinaShared(['restore', file], place.environment);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^2 requests of .* are back\.$/m);

    const store = await target.reopen(place);
    onTestFinished(() => store.close());
    const later = await storeSubmission(store, { receivedAt: now(), answers: { Message: word(3) } });
    expect(await store.findSubmission(later)).toMatchObject({ definition });
    expect(await store.listOpen(10)).toHaveLength(3);
    const mails = temporaryFolder();
    await workerFor(store, createFolderTransport(mails), now).sendDue();
    // Read as mail: where an encoded line ends, a word is found in no file.
    const read = async (name: string) => (await PostalMime.parse(readFileSync(join(mails, name)))).text;
    const texts = await Promise.all(readdirSync(mails).map(read));
    for (const n of [1, 2, 3]) expect(texts.join('')).toContain(word(n));
    expect(await claimReminders(store, new Date(Date.now() + 2 * 3_600_000))).not.toEqual([]);
    // A time that is none would keep all that comes later from being erased.
    expect(await store.findTime('erase')).not.toEqual(new Date(0));
  });
});

test('a transfer that was under way is no damage', async () => {
  const { file } = await backUpSite(
    `INSERT INTO jobs (kind, key, submission, due_at) SELECT 'transfer', 'transfer:' || reference, id, received_at FROM submissions`,
  );
  const restored = await awhinaShared(['restore', file], { DATA_DIR: join(temporaryFolder(), 'data') });
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(restored.out).not.toContain('damaged');
});

test('damaged answers are mailed as they are stored, listed as damaged, and invite no reply', async () => {
  const { file, references } = await backUpSite(
    `UPDATE definitions SET definition = '[]';
     UPDATE submissions SET form = 'contact'`,
    1,
  );
  const environment = { DATA_DIR: join(temporaryFolder(), 'data') };
  const restored = await awhinaShared(['restore', file], environment);
  expect(restored.out).toContain('1 damaged entry of the backup was mended. No request was left out.');
  const list = await awhinaShared(['list', '--open'], environment);
  expect(list.out).toMatch(new RegExp(`${references[0]} +urgent, damaged, taken by nobody yet`));
  const store = await openStore(environment.DATA_DIR);
  const mails = temporaryFolder();
  await workerFor(store, createFolderTransport(mails), now).sendDue();
  const mail = await PostalMime.parse(readFileSync(join(mails, `${references[0]}.eml`)));
  expect(mail.replyTo).toBeUndefined();
  expect(mail.text).toContain('DO NOT CONTACT THIS PERSON YET.\nThe stored answers are damaged.');
  expect(mail.text).toContain(word(1));
});

test('a form that a damaged database has lost is no form of later requests', async () => {
  const from = temporaryFolder();
  const before = await openSqliteStore(from);
  const damaged = await storeSubmission(before, { receivedAt: now(), answers: { Message: word(1) } });
  await before.close();
  const path = join(from, 'awhina.sqlite');
  using db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec('DELETE FROM definitions');
  const dataDir = temporaryFolder();
  const store = await openStore(dataDir);
  expect(await awhinaShared(['salvage', path], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  const later = await storeSubmission(store, { receivedAt: now() });
  expect(await store.findSubmission(later)).toMatchObject({ definition });
  expect((await store.findSubmission(damaged))?.damaged).toContain(word(1));
});

test('a text that a flipped bit has made bytes is salvaged as text, and all others with it', async () => {
  const from = temporaryFolder();
  const before = await openSqliteStore(from);
  const references: string[] = [];
  for (const n of [1, 2, 3])
    references.push(await storeSubmission(before, { receivedAt: now(), answers: { Message: word(n) } }));
  await before.close();
  const path = join(from, 'awhina.sqlite');
  const open = () => new DatabaseSync(path, { defensive: false, enableForeignKeyConstraints: false });
  {
    using db = open();
    db.exec(`PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '')`);
  }
  {
    using db = open();
    const bytes = (column: string) => `${column} = CAST(${column} AS BLOB)`;
    const all = ['reference', 'form', 'definition', 'answers', 'verdict', 'token_hash', 'received_at'];
    db.exec(
      `UPDATE submissions SET ${all.map(bytes)} WHERE id = 2; UPDATE definitions SET ${bytes('definition')}`,
    );
    db.exec(`UPDATE jobs SET ${bytes('due_at')}, last_error = x'00ff' WHERE submission = 2`);
  }
  const dataDir = temporaryFolder();
  const store = await openStore(dataDir);
  const salvaged = await awhinaShared(['salvage', path], { DATA_DIR: dataDir });
  expect(salvaged).toMatchObject({ code: 0, err: '', out: expect.stringContaining('3 of them taken over') });
  for (const reference of references)
    expect(await store.findSubmission(reference)).toMatchObject({ form: 'help', definition });
});
