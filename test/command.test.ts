import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFilter } from '../src/cli/requests/filter-options.ts';
import { claimMail, parkMail } from '../src/server/store/contract/mail-jobs.ts';
import { createSeal, generateKeyPair } from '../src/server/submissions/seal.ts';
import { awhina, awhinaShared } from './support/command.ts';
import { prepareCommands } from './support/commands.ts';
import { storeSubmission } from './support/stored-submissions.ts';

const day = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * day);

describe('awhina', () => {
  test('each command ends by itself', async () => {
    const { store, environment, dataDir } = await prepareCommands();
    const reference = await storeSubmission(store, { receivedAt: new Date() });
    const commands = [
      ['list'],
      ['show', reference],
      ['export', '--json'],
      ['deliveries'],
      ['deliveries', 'retry', reference],
      ['purge'],
      ['keygen', '--out', join(dataDir, 'key.txt')],
    ];
    // Side by side: each is a process of its own.
    const codes = await Promise.all(commands.map(async (args) => (await awhina(args, environment)).code));
    expect(codes).toEqual(commands.map(() => 0));
  });

  test('lists newest first, says what was delivered, and filters by form and day', async () => {
    const { store, ask } = await prepareCommands();
    const old = await storeSubmission(store, { receivedAt: new Date('2026-02-27T10:59:00Z') });
    // 28 February has begun in New Zealand.
    const help = await storeSubmission(store, { receivedAt: new Date('2026-02-27T11:00:00Z') });
    const contact = await storeSubmission(store, {
      form: 'contact',
      receivedAt: new Date('2026-02-28T10:59:00Z'),
    });
    for (const claim of await claimMail(store, new Date(), 1, 60_000, 'new')) {
      await store.finishDelivery(claim, new Date());
    }
    const all = await ask('list');
    expect(all.code).toBe(0);
    expect(all.out.trimEnd().split('\n')).toEqual([
      'RECEIVED          FORM     REFERENCE  STATUS',
      `2026-02-28 23:59  contact  ${contact}  waiting`,
      `2026-02-28 00:00  help     ${help}  waiting`,
      `2026-02-27 23:59  help     ${old}  accepted`,
    ]);
    const onDay = ['--since', '2026-02-28', '--until', '2026-02-28'];
    const some = await ask('list', '--form', 'help', ...onDay, '--json');
    expect(JSON.parse(some.out)).toMatchObject([{ reference: help, form: 'help', status: 'waiting' }]);
  });

  test('shows one as the mail does, and finds it however the reference is written', async () => {
    const { store, ask } = await prepareCommands();
    const hostile = 'red \u001b[31m, \u009b31m, turned \u202e';
    const reference = await storeSubmission(store, {
      receivedAt: new Date('2026-11-15T02:10:49Z'),
      answers: { SafeContact: ['Phone call'], Message: hostile },
    });
    const { code, out } = await ask('show', reference.toLowerCase().replace('-', ''));
    expect(code).toBe(0);
    expect(out).toMatch(
      /^=+\nCall this person\.\n(- .*\n)+Call:\n {4}021 000 000\nDO NOT EMAIL OR REPLY\.\n/,
    );
    expect(out).toContain('Hōne');
    expect(out).toContain('No mail server has accepted its mail yet.');
    expect(out).toContain('red ␛[31m, ␡31m, turned <U+202E>');
    for (const args of [
      ['show', reference, '--json'],
      ['export', '--json'],
      ['export', '--csv'],
    ]) {
      const { out } = await ask(...args);
      for (const char of ['\u001b', '\u009b', '\u202e']) expect(out).not.toContain(char);
    }
    const json = JSON.parse((await ask('show', reference, '--json')).out);
    expect(json.answers).toContainEqual({ key: 'Message', question: 'Message', value: hostile });
  });

  test('exports for a spreadsheet and for a program, macrons intact, to the screen or to a file', async () => {
    const { store, ask, dataDir } = await prepareCommands();
    const reference = await storeSubmission(store, {
      receivedAt: daysAgo(1),
      answers: { Phone: '+64 21 0' },
    });
    // From the first day that can be written to the last.
    const ever = readFilter({ since: '0000-01-01', until: '9999-12-31' });
    expect(await store.countSubmissions(ever)).toMatchObject({ total: 1 });
    const csv = await ask('export', '--csv');
    expect(csv.out.startsWith('\uFEFF"Reference","Form"')).toBe(true);
    expect(csv.out).toContain(`\r\n"${reference}","help",`);
    expect(csv.out).toContain('"Hōne"');
    expect(csv.out).toContain('"\'+64 21 0"');
    const file = join(dataDir, 'out.json');
    expect(await ask('export', '--json', '--out', file)).toMatchObject({ code: 0, out: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject([{ reference, status: 'waiting' }]);
    expect(JSON.parse((await ask('export', '--json', '--form', 'contact')).out)).toEqual([]);
  });

  test('an export replaces an existing file completely or not at all, and only its owner can read it', async () => {
    const { store, ask, dataDir } = await prepareCommands();
    const { recipient, identity } = await generateKeyPair();
    const { identity: another, recipient: lost } = await generateKeyPair();
    const reference = await storeSubmission(store, { receivedAt: daysAgo(2), seal: createSeal([lost]) });
    await storeSubmission(store, { receivedAt: daysAgo(1), seal: createSeal([recipient]) });
    const folder = join(dataDir, 'exports');
    mkdirSync(folder);
    const [file, key] = [join(folder, 'out.csv'), join(dataDir, 'key.txt')];
    writeFileSync(file, 'last month');
    chmodSync(file, 0o644);
    writeFileSync(key, identity);
    expect(await ask('export', '--csv', '--identity', key, '--out', file)).toMatchObject({
      code: 1,
      err: `${file} already exists. Choose another with --out FILE, or add --force.\n`,
    });
    // The second that is opened is sealed to another key, so the export fails midway.
    expect((await ask('export', '--csv', '--identity', key, '--out', file, '--force')).code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe('last month');
    writeFileSync(key, `${identity}\n${another}\n`);
    const forced = await ask('export', '--csv', '--identity', key, '--out', file, '--force');
    expect(forced).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toContain(reference);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['out.csv']);
    expect(await ask('export', '--csv', '--identity', key, '--out', folder)).toMatchObject({
      code: 1,
      err: expect.stringContaining('could not be written'),
    });
    const pipe = join(dataDir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [piped] = await Promise.all([
      readFile(pipe, 'utf8'),
      ask('export', '--csv', '--identity', key, '--out', pipe),
    ]);
    expect(piped).toContain(reference);
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  test('lists what no mail server has accepted and why, and sends it again', async () => {
    const { store, ask } = await prepareCommands();
    expect((await ask('deliveries')).out).toBe('No mail waits. awhina list shows what nobody has seen.\n');
    const reference = await storeSubmission(store, { receivedAt: daysAgo(1) });
    for (const claim of await claimMail(store, new Date(), 1, 60_000, 'new')) {
      await parkMail(store, claim, new Date(), 'SMTP 550 5.1.1 at RCPT TO');
    }
    const { out, err } = await ask('deliveries');
    expect(out).toMatch(new RegExp(`help +${reference} +parked +1 +daily +SMTP 550 5.1.1 at RCPT TO`));
    expect(out).toContain('the mail server does not accept the address in MAIL_TO_…');
    expect(err).toContain('awhina deliveries retry --all');
    expect((await ask('deliveries', 'retry', reference)).code).toBe(0);
    const [claim] = await claimMail(store, new Date(), 1, 60_000, 'new');
    expect(claim?.submission.reference).toBe(reference);
    if (claim) await store.finishDelivery(claim, new Date());
    expect((await ask('deliveries', 'retry', '--all')).out).toContain('there is nothing to send again');
    const again = await ask('deliveries', 'retry', reference);
    expect(again.out).toMatch(
      new RegExp(`^${reference} was mailed on .* already\\. Staff get it again\\.\n${reference} is due now`),
    );
    expect((await claimMail(store, new Date(), 1, 60_000, 'new')).length).toBe(1);
    expect(await ask('deliveries', 'retry', 'XXXX-XXXX')).toMatchObject({
      code: 1,
      err: 'There is no XXXX-XXXX.\n',
    });
  });

  test('erases what was seen long enough ago, and what nobody has seen for longer', async () => {
    const { store, ask, environment } = await prepareCommands();
    const keep = (days: number) => storeSubmission(store, { receivedAt: daysAgo(days) });
    const [expired, kept, unseen, lost] = [await keep(400), await keep(400), await keep(89), await keep(91)];
    for (const claim of await claimMail(store, new Date(), 9, 60_000, 'new'))
      await store.finishDelivery(claim, daysAgo(88));
    await store.recordStep(expired, 'taken', 'AB', daysAgo(31));
    await store.recordStep(kept, 'taken', 'AB', daysAgo(29));
    // Nothing new has come for months: then the clock may be wrong, and a purge refuses.
    expect(await ask('purge', '--dry-run')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^Nothing would be erased: it is .* by this machine's clock/),
    });
    await keep(0);
    await store.startUnseenLimit(90, daysAgo(15));
    const dry = await ask('purge', '--dry-run');
    expect(dry.out).toContain(`would be erased.\n  ${expired}\n  ${lost}\n`);
    expect(await store.findSubmission(expired)).not.toBeNull();
    const purged = await ask('purge');
    expect(purged.out).toMatch(
      /^2 requests last seen before .*, or never seen and received before .* erased/,
    );
    expect(purged.err).toContain('Nobody had seen 1 of them');
    for (const reference of [expired, lost]) expect(await store.findSubmission(reference)).toBeNull();
    for (const reference of [kept, unseen]) expect(await store.findSubmission(reference)).not.toBeNull();
    expect((await ask('purge', '--dry-run')).out).toMatch(/^0 requests/);
    await store.startUnseenLimit(null, daysAgo(15));
    const old = await awhinaShared(['purge', '--dry-run'], { ...environment, REMINDERS: 'off' });
    expect(old.out).toMatch(/^2 requests last seen before .*, or accepted by a mail server before /);
  });

  test('opens sealed answers with the key, and not without it', async () => {
    const { store, ask, dataDir } = await prepareCommands();
    const file = join(dataDir, 'key.txt');
    const made = await ask('keygen', '--out', file);
    const recipient = /SEAL_TO=(age1\S+)/.exec(made.out)?.[1] ?? '';
    expect(made.out).not.toContain('AGE-SECRET-KEY');
    expect((await ask('keygen', '--out', file)).code).toBe(1);
    const reference = await storeSubmission(store, { receivedAt: daysAgo(1), seal: createSeal([recipient]) });

    const closed = await ask('show', reference);
    expect(closed.out).toContain('DO NOT REPLY TO THIS EMAIL.');
    expect(closed.out).not.toContain('Hōne');
    expect((await ask('show', reference, '--identity', file)).out).toContain('Hōne');
    expect(await ask('export', '--csv')).toMatchObject({ code: 1, out: '' });
    expect((await ask('export', '--csv', '--identity', file)).out).toContain('"Hōne"');

    const other = join(dataDir, 'other.txt');
    writeFileSync(other, (await generateKeyPair()).identity);
    const wrong = await ask('show', reference, '--identity', other);
    expect(wrong).toMatchObject({ code: 1, out: '' });
    expect(wrong.err).toContain('does not open');
    expect((await ask('show', reference, '--identity', 'package.json')).code).toBe(1);
  });
});
