import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { nzMoment } from '../src/server/time/nz-time.ts';
import { awhina } from './support/command.ts';
import { sqlite } from './support/each-store.ts';
import { sampleEntries } from './support/forms.ts';
import { healthOf, serve, submitted } from './support/running-server.ts';
import { mailTo, startSmtp } from './support/scripted-smtp.ts';
import type { TestServer } from './support/server.ts';
import { copyContent } from './support/site-server.ts';
import { temporaryFolder } from './support/temporary.ts';
import { wrongBy } from './support/wrong-clocks.ts';

/**
 * What a trust relies on until a person has seen a request: by commands, HTTP, SMTP and the clock alone. The mail server
 * here accepts every mail, and nobody ever reads one.
 */

const day = 24 * 3_600_000;
/** A larger step would be a clock that has jumped. */
const stepDays = 6;

const monitor = { MONITOR_KEY: 'onlyTheMonitorOfThisTestHasIt2026' };

/** A trust with its clock, which stands at `start` until days pass. */
async function createTrust(environment: Record<string, string>, start: Date, withMailServer = true) {
  const smtp = await startSmtp();
  const mail = withMailServer ? { ...mailTo(smtp.port), MAIL_TO_ESCALATE: 'manager@trust.example' } : {};
  let at = start.getTime();
  const settings = () => ({
    ...{ CONTENT_DIR: 'content', REMINDERS: 'on', WEEKLY_LETTER: 'on', ...mail, ...monitor, ...environment },
    ...wrongBy(at - Date.now()),
  });
  const command = (...args: string[]) => awhina(args, settings());

  const run = () => serve(settings());
  const logged = (server: TestServer, text: string) =>
    expect.poll(() => server.lines.join('\n')).toContain(text);

  return {
    smtp,
    command,
    serve: run,
    logged,
    /** Starts the server for as long as it takes to accept requests for help and mail them. */
    async receive(count = 1): Promise<string[]> {
      const server = await run();
      const references: string[] = [];
      for (let n = 0; n < count; n++) {
        references.push(await submitted(server, 'help', sampleEntries.help, new Date(at + day)));
      }
      const isMailed = (reference: string) =>
        smtp.accepted.some(({ raw }) => raw.includes(reference)) ||
        existsSync(join(environment.DATA_DIR ?? '', 'mail', `${reference}.eml`));
      await expect.poll(() => references.every(isMailed)).toBe(true);
      await server.end();
      return references;
    },
    /** The erasing of every hour, as the command does it. */
    async pass(days: number): Promise<void> {
      for (let left = days; left > 0; left -= stepDays) {
        at += Math.min(left, stepDays) * day;
        expect(await command('purge')).toMatchObject({ code: 0 });
      }
    },
    /** The text of every mail. */
    mailed: () => Promise.all(smtp.accepted.map(async ({ raw }) => (await PostalMime.parse(raw)).text ?? '')),
    jump(days: number): void {
      at += days * day;
    },
    async stored(): Promise<string[]> {
      const { out } = await command('list', '--json');
      return (JSON.parse(out) as { reference: string }[]).map(({ reference }) => reference);
    },
    async health(server: TestServer, check: 'ready' | 'deliveries'): Promise<string> {
      return JSON.stringify(
        await healthOf(server, check, { authorization: `Bearer ${monitor.MONITOR_KEY}` }),
      );
    },
  };
}

describe('requests that nobody saw', () => {
  test('a request that nobody has seen is there on day 89, and erased on day 91; it is named until somebody confirms it', async () => {
    const { environment, close } = await sqlite.open();
    await close();
    const trust = await createTrust(environment, new Date());
    const [reference = ''] = await trust.receive();
    await trust.pass(31);
    expect(await trust.stored()).toEqual([reference]);
    expect((await trust.command('list', '--open')).out).toContain(reference);
    await trust.pass(58);
    expect(await trust.stored()).toEqual([reference]);
    expect((await trust.command('losses')).out).toBe('No request is counted as erased unseen.\n');

    await trust.pass(2);
    expect(await trust.stored()).toEqual([]);
    const lost = '1 request was erased although nobody had seen it';
    for (const args of [['list', '--open'], ['stats']]) {
      const said = await trust.command(...args);
      expect(said.err).toContain(lost);
      expect(said.out).not.toContain('everything was answered');
    }
    expect((await trust.command('losses')).out).toContain(lost);
    const server = await trust.serve();
    expect(await trust.health(server, 'deliveries')).toMatch(new RegExp(`^\\[503,.*${lost}`));
    await expect.poll(trust.mailed).toContainEqual(expect.stringContaining(lost));
    await server.end();

    expect(await trust.command('losses', '--confirm')).toMatchObject({ code: 0 });
    expect((await trust.command('losses')).out).toBe('No request is counted as erased unseen.\n');
    expect((await trust.command('list', '--open')).err).not.toContain(lost);
    const after = await trust.serve();
    expect(await trust.health(after, 'deliveries')).not.toContain('erased');
  });
});

describe('on SQLite,', () => {
  test('a request that comes in before 38 days of Christmas is there when the trust opens again', async () => {
    const CONTENT_DIR = await copyContent([
      ['organisation:', 'closed: { from: 2026-12-18, until: 2027-01-25 }\norganisation:'],
    ]);
    const environment = { DATA_DIR: temporaryFolder(), CONTENT_DIR };
    const trust = await createTrust(environment, nzMoment('2026-12-17', '16:00'));
    const [reference] = await trust.receive();
    await trust.pass(40);
    expect(await trust.stored()).toEqual([reference]);
  });

  test('with RETENTION_DAYS=2 a request of Friday evening is there on Monday, and erased two days after somebody took it', async () => {
    const environment = { DATA_DIR: temporaryFolder(), RETENTION_DAYS: '2' };
    const trust = await createTrust(environment, nzMoment('2026-03-06', '17:30'));
    const [reference = ''] = await trust.receive();
    await trust.pass(3);
    expect(await trust.stored()).toEqual([reference]);
    expect(await trust.command('taken', reference, '--by', 'AB')).toMatchObject({ code: 0 });
    await trust.pass(1);
    expect(await trust.stored()).toEqual([reference]);
    expect(await trust.command('answered', reference, '--by', 'AB')).toMatchObject({ code: 0 });
    // From the last step, and not from the first.
    await trust.pass(1.5);
    expect(await trust.stored()).toEqual([reference]);
    await trust.pass(1);
    expect(await trust.stored()).toEqual([]);
    expect((await trust.command('losses')).out).toBe('No request is counted as erased unseen.\n');
  });

  test('a clock 300 days ahead is told to staff and to MAIL_TO_ESCALATE at once, and erases nothing unseen before somebody trusts it', async () => {
    const environment = { DATA_DIR: temporaryFolder() };
    const trust = await createTrust(environment, nzMoment('2026-03-02', '10:00'));
    const references = await trust.receive();
    trust.jump(300);
    for (const start of [1, 2]) {
      const server = await trust.serve();
      const title = /^Subject: .*clock/m;
      const told = () => trust.smtp.accepted.filter(({ raw }) => title.test(raw)).flatMap(({ to }) => to);
      await expect.poll(() => told().length).toBe(start * 3);
      expect(new Set(told())).toEqual(
        new Set(['help@trust.example', 'contact@trust.example', 'manager@trust.example']),
      );
      expect(await trust.health(server, 'ready')).toContain('the clock has jumped ahead');
      await server.end();
    }
    expect(await trust.command('purge')).toMatchObject({ code: 1 });
    expect(await trust.stored()).toEqual(references);
    const trusted = await trust.command('purge', '--trust-clock');
    expect(trusted).toMatchObject({ code: 0, err: expect.stringContaining('in two weeks at the earliest') });
    await trust.pass(12);
    expect(await trust.stored()).toEqual(references);
    await trust.pass(3);
    expect(await trust.stored()).toEqual([]);
  });

  test('a request that comes in while the clock is half a year behind is there once it is right', async () => {
    const trust = await createTrust({ DATA_DIR: temporaryFolder() }, nzMoment('2026-03-02', '10:00'));
    await trust.receive();
    await trust.pass(18);
    trust.jump(-200);
    const [late] = await trust.receive();
    trust.jump(200);
    await trust.pass(20);
    expect(await trust.stored()).toContain(late);
  });

  test('with REMINDERS=off a request is erased RETENTION_DAYS after its mail was accepted, and the start says so', async () => {
    const environment = { DATA_DIR: temporaryFolder(), REMINDERS: 'off' };
    const trust = await createTrust(environment, nzMoment('2026-03-02', '10:00'));
    await trust.receive();
    await trust.pass(29);
    expect(await trust.stored()).toHaveLength(1);
    await trust.pass(2);
    expect(await trust.stored()).toEqual([]);
    expect(await trust.command('losses')).toMatchObject({
      out: 'No request is counted as erased unseen.\n',
      err: expect.stringContaining('whether or not anybody has seen it. These requests are not counted.'),
    });
    const sentence = 'REMINDERS is off: a request is erased 30 days after a mail server accepted it';
    expect((await trust.command('check')).out).toContain(sentence);
    await trust.logged(await trust.serve(), sentence);
  });

  test('without a mail server, a file that somebody moved to mail/read was seen, and one that is gone was not', async () => {
    const dataDir = temporaryFolder();
    const trust = await createTrust({ DATA_DIR: dataDir }, nzMoment('2026-03-02', '10:00'), false);
    const [moved = '', gone = '', read = '', unread = ''] = await trust.receive(4);
    const mail = join(dataDir, 'mail');
    mkdirSync(join(mail, 'read'));
    renameSync(join(mail, `${moved}.eml`), join(mail, 'read', `${moved}.eml`));
    rmSync(join(mail, `${gone}.eml`));
    expect(await trust.command('deliveries', 'read', read)).toMatchObject({ code: 0 });
    // The file is recorded as read on day 6, when the erasing first finds it.
    await trust.pass(37);
    expect(new Set(await trust.stored())).toEqual(new Set([gone, unread]));
    await trust.pass(52);
    expect(await trust.stored()).toHaveLength(2);
    await trust.pass(2);
    expect(await trust.stored()).toEqual([]);
    expect((await trust.command('losses')).out).toContain('2 requests were erased although nobody had seen');
  });
});
