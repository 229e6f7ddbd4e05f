import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFolderTransport, erasingSentFiles } from '../src/server/delivery/folder/folder-transport.ts';
import { countUnread } from '../src/server/delivery/folder/mail-folder.ts';
import type { MailTransport } from '../src/server/delivery/mail-transport.ts';
import { awhinaShared } from './support/command.ts';
import { prepareCommands } from './support/commands.ts';
import { sendHeld, workerFor } from './support/delivery.ts';
import { createEraser } from './support/erasing-machine.ts';
import { serve } from './support/running-server.ts';
import { mailTo } from './support/scripted-smtp.ts';
import { createClock, storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';

const day = 24 * 3_600_000;

describe('mail that lies in a folder', () => {
  async function prepare() {
    const { store, dataDir, ask, environment } = await prepareCommands();
    const clock = createClock();
    await store.startUnseenLimit(null, clock.now());
    const mailFolder = join(dataDir, 'mail');
    const transport = createFolderTransport(mailFolder);
    const eraseExpired = createEraser(store, dataDir, clock.now);
    const keep = (changes = {}) => storeSubmission(store, { receivedAt: clock.now(), ...changes });
    const left = async () => {
      const found: string[] = [];
      for await (const { reference } of store.iterateSubmissions({})) found.push(reference);
      return found.toSorted();
    };
    const deliver = (to: MailTransport = transport, now = clock.now) => workerFor(store, to, now).sendDue();
    /** Several requests in one mail file. */
    const keepTogether = async (count: number) => {
      const heldUntil = clock.now();
      const together = await Promise.all(Array.from({ length: count }, () => keep({ heldUntil })));
      await sendHeld(store, transport, clock.now);
      expect(await countUnread(mailFolder)).toBe(1);
      return together;
    };
    const retry = (which: string) =>
      awhinaShared(['deliveries', 'retry', which], { ...environment, ...mailTo(25) });
    return { store, clock, mailFolder, eraseExpired, keep, keepTogether, left, deliver, ask, retry };
  }

  test('is erased by age only once somebody has said that it was read, or took the file away', async () => {
    const { clock, mailFolder, eraseExpired, keep, left, deliver, ask } = await prepare();
    const [unread, read, gone] = [await keep(), await keep(), await keep()];
    await deliver();
    clock.advance(400 * day);
    expect(await eraseExpired()).toMatchObject({ count: 0 });
    const said = await ask('deliveries', 'read', read);
    expect(said).toMatchObject({ code: 0, out: '1 mail is marked as read.\n' });
    rmSync(join(mailFolder, `${gone}.eml`));
    expect(await eraseExpired()).toMatchObject({ count: 2 });
    expect(await left()).toEqual([unread]);
    expect(readdirSync(mailFolder, { recursive: true }).toSorted()).toEqual(
      ['read', `${unread}.eml`].toSorted(),
    );
  });

  test('with several requests in it prevents the erasing of all of them', async () => {
    const { clock, mailFolder, eraseExpired, keepTogether, left, ask } = await prepare();
    const together = await keepTogether(20);
    clock.advance(400 * day);
    expect(await eraseExpired()).toMatchObject({ count: 0 });
    expect(await left()).toEqual(together.toSorted());
    expect((await ask('deliveries', 'read', together.at(-1) ?? '')).code).toBe(0);
    expect(await eraseExpired()).toMatchObject({ count: 20 });
    expect(readdirSync(mailFolder, { recursive: true })).toEqual(['read']);
  });

  test('is not seen, and the command does not say so', async () => {
    const { store, mailFolder, keep, deliver, ask } = await prepare();
    const reference = await keep();
    await deliver();
    const list = async () => (await ask('list')).out.split('\n')[1];
    expect(await list()).toMatch(new RegExp(`${reference} +in ${mailFolder}, not read yet$`));
    await store.recordStep(reference, 'answered', 'AB', new Date());
    expect(await list()).toMatch(new RegExp(`${reference} +answered by AB`));
    await store.undoStep(reference, 'answered', new Date());
    expect((await ask('show', reference)).out).toContain(`Its mail is in ${mailFolder}, not read yet.`);
    const before = await ask('deliveries');
    expect(before.out).toBe('Everything was mailed, but not all of it was read.\n');
    expect(before.err).toContain(`1 mail that nobody has read lies in ${mailFolder}.`);
    expect((await ask('deliveries', 'read', '--all')).code).toBe(0);
    expect((await ask('deliveries')).out).toBe('No mail waits. awhina list shows what nobody has seen.\n');
    expect(await list()).toMatch(new RegExp(`${reference} +seen`));
    expect((await ask('show', reference)).out).toContain(
      `Its mail was sent, or written to ${mailFolder}, on `,
    );
    const none = await ask('deliveries', 'read', 'HK7W-3RQX');
    expect(none).toMatchObject({ code: 1, err: `There is no unread mail of HK7W-3RQX in ${mailFolder}.\n` });
  });

  test.each(['--all', 'one of them'])(
    'with several requests in it is mailed once by retry %s, as one mail for each',
    async (which) => {
      const { mailFolder, keepTogether, deliver, retry } = await prepare();
      const together = await keepTogether(3);
      const said = await retry(which === '--all' ? which : (together[1] ?? ''));
      expect(said).toMatchObject({ code: 0, out: expect.stringContaining('3 are due now.') });
      const accepted: string[] = [];
      const send = async ({ name }: { name: string }) => {
        accepted.push(name);
        return { ok: true } as const;
      };
      const server = erasingSentFiles({ description: 'a test', send }, mailFolder);
      const sendDue = () => deliver(server, () => new Date());
      await sendDue();
      expect(accepted.toSorted()).toEqual(together.toSorted());
      expect(await countUnread(mailFolder)).toBe(0);
      expect((await retry('--all')).out).toContain('there is nothing to send again');
      await sendDue();
      expect(accepted).toHaveLength(3);
    },
  );

  test('with a request in it that no database has stays where it is after retry, which says so', async () => {
    const { store, clock, mailFolder, keepTogether, retry } = await prepare();
    const together = await keepTogether(3);
    const [digest = ''] = readdirSync(mailFolder);
    const [gone = '', ...others] = together;
    // As after an older backup was restored.
    await store.eraseOne(gone, clock.now());
    for (const which of ['--all', others[0] ?? '']) {
      const { code, out } = await retry(which);
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('2 are due now.') });
      expect(out).toContain(`${gone} is in no database: ${join(mailFolder, digest)} stays`);
    }
    expect(readdirSync(mailFolder)).toEqual([digest]);
  });

  test('is removed once a mail server has accepted it', async () => {
    const { store, clock, mailFolder, keep, deliver } = await prepare();
    const reference = await keep();
    await deliver();
    await store.retryDeliveries({ reference }, clock.now());
    const refusing = {
      description: 'a test',
      send: async () => ({ ok: false, permanent: false, reason: 'SMTP 421' }) as const,
    };
    await deliver(erasingSentFiles(refusing, mailFolder));
    expect(await countUnread(mailFolder)).toBe(1);
    clock.advance(day);
    const taking = { description: 'a test', send: async () => ({ ok: true }) as const };
    await deliver(erasingSentFiles(taking, mailFolder));
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
