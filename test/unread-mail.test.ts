import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFolderTransport, erasingSentFiles } from '../src/server/delivery/folder/folder-transport.ts';
import { countUnread } from '../src/server/delivery/folder/mail-folder.ts';
import { createDigest } from '../src/server/delivery/queue/digest.ts';
import { createRetention } from '../src/server/erasure/retention.ts';
import { awhinaShared } from './support/command.ts';
import { workerFor } from './support/delivery.ts';
import { sqlite } from './support/each-store.ts';
import { shippedContent } from './support/forms.ts';
import { collectLog } from './support/log.ts';
import { serve } from './support/running-server.ts';
import { addresses, createClock, storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';

const mailAddresses = {
  MAIL_FROM: addresses.from,
  MAIL_TO_HELP: 'help@trust.example',
  MAIL_TO_CONTACT: 'contact@trust.example',
};
const day = 24 * 3_600_000;

describe('mail that lies in a folder', () => {
  async function prepare() {
    const { store, dataDir, environment, close } = await sqlite.open();
    onTestFinished(close);
    const clock = createClock();
    await store.startUnseenLimit(null, clock.now());
    const mailFolder = join(dataDir, 'mail');
    const transport = createFolderTransport(mailFolder);
    const parts = {
      archive: store,
      mailFolder,
      dataDir,
      retentionDays: 30,
      unseenRetentionDays: null,
      now: clock.now,
    };
    const eraseExpired = createRetention({ ...parts, checkClock: () => null });
    const keep = (changes = {}) => storeSubmission(store, { receivedAt: clock.now(), ...changes });
    const left = async () => {
      const found: string[] = [];
      for await (const { reference } of store.iterateSubmissions({})) found.push(reference);
      return found.toSorted();
    };
    return { store, clock, mailFolder, transport, eraseExpired, keep, left, environment };
  }

  test('is erased by age only once somebody has said that it was read, or took the file away', async () => {
    const { store, clock, mailFolder, transport, eraseExpired, keep, left, environment } = await prepare();
    const [unread, read, gone] = [await keep(), await keep(), await keep()];
    await workerFor(store, transport, clock.now).sendDue();
    clock.advance(400 * day);
    expect(await eraseExpired()).toMatchObject({ count: 0 });
    const said = await awhinaShared(['deliveries', 'read', read], environment);
    expect(said).toMatchObject({ code: 0, out: '1 mail is marked as read.\n' });
    rmSync(join(mailFolder, `${gone}.eml`));
    expect(await eraseExpired()).toMatchObject({ count: 2 });
    expect(await left()).toEqual([unread]);
    expect(readdirSync(mailFolder, { recursive: true }).toSorted()).toEqual(
      ['read', `${unread}.eml`].toSorted(),
    );
  });

  test('with several requests in it prevents the erasing of all of them', async () => {
    const { store, clock, mailFolder, transport, eraseExpired, keep, left, environment } = await prepare();
    const heldUntil = clock.now();
    const together = await Promise.all(Array.from({ length: 20 }, () => keep({ heldUntil })));
    const parts = { queue: store, transport, addresses, now: clock.now, log: collectLog().log };
    await createDigest({ ...parts, site: () => shippedContent.site })();
    expect(await countUnread(mailFolder)).toBe(1);
    clock.advance(400 * day);
    expect(await eraseExpired()).toMatchObject({ count: 0 });
    expect(await left()).toEqual(together.toSorted());
    expect((await awhinaShared(['deliveries', 'read', together.at(-1) ?? ''], environment)).code).toBe(0);
    expect(await eraseExpired()).toMatchObject({ count: 20 });
    expect(readdirSync(mailFolder, { recursive: true })).toEqual(['read']);
  });

  test('is not seen, and the command does not say so', async () => {
    const { store, clock, mailFolder, transport, keep, environment } = await prepare();
    const reference = await keep();
    await workerFor(store, transport, clock.now).sendDue();
    const list = async () => (await awhinaShared(['list'], environment)).out.split('\n')[1];
    expect(await list()).toMatch(new RegExp(`${reference} +in ${mailFolder}, not read yet$`));
    await store.recordStep(reference, 'answered', 'AB', new Date());
    expect(await list()).toMatch(new RegExp(`${reference} +answered by AB`));
    await store.undoStep(reference, 'answered', new Date());
    expect((await awhinaShared(['show', reference], environment)).out).toContain(
      `Its mail is in ${mailFolder}, not read yet.`,
    );
    const before = await awhinaShared(['deliveries'], environment);
    expect(before.out).toBe('Everything was mailed, but not all of it was read.\n');
    expect(before.err).toContain(`1 mail that nobody has read lies in ${mailFolder}.`);
    expect((await awhinaShared(['deliveries', 'read', '--all'], environment)).code).toBe(0);
    expect((await awhinaShared(['deliveries'], environment)).out).toBe(
      'No mail waits. awhina list shows what nobody has seen.\n',
    );
    expect(await list()).toMatch(new RegExp(`${reference} +seen`));
    expect((await awhinaShared(['show', reference], environment)).out).toContain(
      `Its mail was sent, or written to ${mailFolder}, on `,
    );
    const none = await awhinaShared(['deliveries', 'read', 'HK7W-3RQX'], environment);
    expect(none).toMatchObject({ code: 1, err: `There is no unread mail of HK7W-3RQX in ${mailFolder}.\n` });
  });

  test.each(['--all', 'one of them'])(
    'with several requests in it is mailed once by retry %s, as one mail for each',
    async (which) => {
      const { store, clock, mailFolder, transport, keep, environment } = await prepare();
      const heldUntil = clock.now();
      const together = await Promise.all(Array.from({ length: 3 }, () => keep({ heldUntil })));
      const parts = { queue: store, transport, addresses, now: clock.now, log: collectLog().log };
      await createDigest({ ...parts, site: () => shippedContent.site })();
      expect(await countUnread(mailFolder)).toBe(1);

      const withServer = { ...environment, SMTP_URL: 'smtp://localhost', ...mailAddresses };
      const retry = (what: string) => awhinaShared(['deliveries', 'retry', what], withServer);
      const said = await retry(which === '--all' ? which : (together[1] ?? ''));
      expect(said).toMatchObject({ code: 0, out: expect.stringContaining('3 are due now.') });
      const accepted: string[] = [];
      const send = async ({ name }: { name: string }) => {
        accepted.push(name);
        return { ok: true } as const;
      };
      const server = erasingSentFiles({ description: 'a test', send }, mailFolder);
      const sendDue = () => workerFor(store, server, () => new Date()).sendDue();
      await sendDue();
      expect(accepted.toSorted()).toEqual(together.toSorted());
      expect(await countUnread(mailFolder)).toBe(0);
      expect((await retry('--all')).out).toContain('there is nothing to send again');
      await sendDue();
      expect(accepted).toHaveLength(3);
    },
  );

  test('with a request in it that no database has stays where it is after retry, which says so', async () => {
    const { store, clock, mailFolder, transport, keep, environment } = await prepare();
    const heldUntil = clock.now();
    const together = await Promise.all(Array.from({ length: 3 }, () => keep({ heldUntil })));
    const parts = { queue: store, transport, addresses, now: clock.now, log: collectLog().log };
    await createDigest({ ...parts, site: () => shippedContent.site })();
    const [digest = ''] = readdirSync(mailFolder);
    const [gone = '', ...others] = together;
    // As after an older backup was restored.
    await store.eraseOne(gone, clock.now());
    const withServer = { ...environment, SMTP_URL: 'smtp://localhost', ...mailAddresses };
    for (const which of ['--all', others[0] ?? '']) {
      const { code, out } = await awhinaShared(['deliveries', 'retry', which], withServer);
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('2 are due now.') });
      expect(out).toContain(`${gone} is in no database: ${join(mailFolder, digest)} stays`);
    }
    expect(readdirSync(mailFolder)).toEqual([digest]);
  });

  test('is removed once a mail server has accepted it', async () => {
    const { store, clock, mailFolder, transport, keep } = await prepare();
    const reference = await keep();
    await workerFor(store, transport, clock.now).sendDue();
    await store.retryDeliveries({ reference }, clock.now());
    const refusing = {
      description: 'a test',
      send: async () => ({ ok: false, permanent: false, reason: 'SMTP 421' }) as const,
    };
    await workerFor(store, erasingSentFiles(refusing, mailFolder), clock.now).sendDue();
    expect(await countUnread(mailFolder)).toBe(1);
    clock.advance(day);
    const taking = { description: 'a test', send: async () => ({ ok: true }) as const };
    await workerFor(store, erasingSentFiles(taking, mailFolder), clock.now).sendDue();
    expect(await countUnread(mailFolder)).toBe(0);
  });
});

test('the start and the health say how many wait there, and in capitals that nobody is told', async () => {
  const dataDir = temporaryFolder();
  const mailFolder = join(dataDir, 'mail');
  const transport = createFolderTransport(mailFolder);
  for (const name of ['HK7W-3RQX', 'held-HK7W-3RQY', 'notice-2026-11-15'])
    await transport.send({ name, envelope: { from: '', to: [] }, raw: Buffer.from('A mail\r\n') });
  const server = await serve({ DATA_DIR: dataDir, PUBLIC_URL: 'http://localhost:3000' });
  const health = await (await fetch(`${server.url}/health/deliveries`)).json();
  expect(health).toEqual({
    status: 'in time',
    warnings: ['2 mails that nobody has read lie in the folder of mails'],
  });
  const said = () => server.lines.join('\n');
  await expect.poll(said).toContain(`2 mails that nobody has read lie in ${mailFolder}.`);
  expect(said()).toContain('NO MAIL SERVER IS SET: NOBODY IS TOLD OF A REQUEST.');
});
