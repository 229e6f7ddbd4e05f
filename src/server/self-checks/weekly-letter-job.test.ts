import PostalMime from 'postal-mime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { smtpTo } from '../../../test/support/delivery.ts';
import { sqlite } from '../../../test/support/each-store.ts';
import { shippedContent } from '../../../test/support/forms.ts';
import { collectLog } from '../../../test/support/log.ts';
import { serverWith } from '../../../test/support/recurring.ts';
import { startScriptedSmtp } from '../../../test/support/scripted-smtp.ts';
import { createClock, storeSubmission } from '../../../test/support/stored-submissions.ts';
import { claimMail, parkMail } from '../store/contract/mail-jobs.ts';
import type { Store } from '../store/contract/store.ts';
import type { ReadLetter } from '../store/contract/times.ts';
import { createWeeklyLetters, type WeeklyLetterParts } from './weekly-letter-job.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const addresses = {
  from: 'website@trust.example',
  to: { help: ['help@trust.example', 'both@trust.example'], contact: ['both@trust.example'] },
};
const apart = { ...addresses, to: { help: ['help@trust.example'], contact: ['office@trust.example'] } };
const well = async () => ({ problems: [] as string[], warnings: [] as string[], forStaff: [] });

describe('the weekly letter', () => {
  /** Wednesday noon, in the week before the first letter. */
  async function prepare(start = '2026-11-10T23:00:00Z') {
    const opened = await sqlite.open();
    onTestFinished(() => opened.close());
    const { store, dataDir } = opened;
    const smtp = await startScriptedSmtp();
    onTestFinished(() => smtp.close());
    const clock = createClock(start);
    const { log, lines } = collectLog();
    const server = (changes: Partial<WeeklyLetterParts> = {}) => {
      const jobs = createWeeklyLetters({
        settings: {
          ...{ weeklyLetter: true, dataDir, contentDir: 'content', mail: { smtpUrl: 'smtp://there' } },
          reminders: { at: '08:30', urgentWithinMs: hour },
        },
        ...{ store, addresses, log, now: clock.now, site: () => shippedContent.site },
        health: { ready: well, deliveries: well },
        transport: smtpTo(smtp.port),
        ...changes,
      });
      return serverWith({ store, jobs, now: clock.now, log });
    };
    const read = async (index = 0) => PostalMime.parse(smtp.accepted[index]?.raw ?? '');
    /** To Monday, one minute before eight. */
    const wait = () => clock.advance(4 * day + 20 * hour - minute);
    const toMonday = () => clock.advance(4 * day + 20 * hour);
    return { store, smtp, clock, lines, server, read, wait, toMonday };
  }

  async function keepAndDeliver(store: Store, form: 'help' | 'contact', receivedAt: Date, afterMs: number) {
    const reference = await storeSubmission(store, { form, receivedAt });
    const at = new Date(receivedAt.getTime() + afterMs);
    for (const claim of await claimMail(store, at, 10, minute, 'new')) await store.finishDelivery(claim, at);
    return reference;
  }

  test('the letter comes on Monday at eight, once from all servers to each mailbox, and again a week later', async () => {
    const { smtp, clock, server, wait } = await prepare();
    const servers = [server(), server(), server()];
    const all = () => Promise.all(servers.map((one) => one()));
    // A site that has just been set up has no week to tell of.
    await all();
    wait();
    await all();
    expect(smtp.accepted).toEqual([]);
    clock.advance(minute);
    await all();
    expect(smtp.accepted.map(({ to }) => to.join()).toSorted()).toEqual([
      'both@trust.example',
      'help@trust.example,both@trust.example',
    ]);
    for (const ms of [minute, hour, day, 5 * day]) {
      clock.advance(ms);
      await all();
      // One that was started since.
      await server()();
    }
    expect(smtp.accepted).toHaveLength(2);
    clock.advance(day);
    await all();
    expect(smtp.accepted).toHaveLength(4);
  });

  test('the letter has the number of requests and the slowest delivery, and nothing that a visitor wrote', async () => {
    const { store, clock, server, read, toMonday } = await prepare();
    await server()();
    const references = [
      await keepAndDeliver(store, 'help', clock.now(), 12_000),
      await keepAndDeliver(store, 'help', new Date(clock.now().getTime() + day), 40_000),
      await keepAndDeliver(store, 'contact', clock.now(), 3_000),
      // The week before.
      await keepAndDeliver(store, 'contact', new Date(clock.now().getTime() - 7 * day), 3 * hour),
    ];
    toMonday();
    await server()();
    const { subject, text = '', html = '' } = await read();
    expect(subject).toBe('[Website] All well this week: 2 requests, 1 message');
    expect(text).not.toContain('languages');
    expect(text).toContain(
      '2 requests and 1 message. None waits for your mail server. The slowest was accepted after 40 seconds.',
    );
    expect(text).toMatch(/^2–8 Nov +0 requests\n +░+ 1 message\n9–15 Nov █+ 2 requests\n +░+ 1 message$/m);
    expect(text).toMatch(/Disk: +\d+ % full/);
    expect(text).toMatch(
      /^Waiting for an answer: +2 requests and 2 messages, the oldest since Wednesday 4 November$/m,
    );
    expect(text).toMatch(/Words and pictures: +as of \d+ \w+ 20\d\d/);
    for (const word of [...references, 'Hōne', 'Mere', 'visitor.example', 'A place to stay'])
      for (const part of [text, html]) expect(part).not.toContain(word);
  });

  test('the letter says how many of the week came from pages in other languages', async () => {
    const { store, clock, server, read, toMonday } = await prepare();
    await server()();
    const earlier = new Date(clock.now().getTime() - 7 * day);
    await storeSubmission(store, { receivedAt: earlier, language: 'to' });
    await storeSubmission(store, { receivedAt: clock.now(), language: 'mi' });
    for (const form of ['help', 'contact'] as const)
      await storeSubmission(store, { receivedAt: clock.now(), form, language: 'sm' });
    toMonday();
    await server()();
    expect((await read()).text).toMatch(
      /^Pages in other languages: +fewer than 5 in Samoan; fewer than 5 in Māori$/m,
    );
  });

  test('a letter that could not be sent is tried again after a quarter of an hour', async () => {
    const { smtp, clock, server, toMonday, lines } = await prepare();
    const letter = server();
    await letter();
    toMonday();
    smtp.script.MAIL = '451 later';
    for (let look = 0; look < 3; look++) {
      await letter();
      clock.advance(5 * minute);
    }
    expect(smtp.heard.filter((line) => line.startsWith('MAIL'))).toHaveLength(2);
    expect(lines.join('')).toContain('weekly letter not sent');
    delete smtp.script.MAIL;
    clock.advance(40 * minute);
    await letter();
    expect(smtp.accepted).toHaveLength(2);
    const ids = smtp.accepted.map(({ raw }) => /^Message-ID: .*$/im.exec(raw)?.[0]);
    expect(ids).toContain('Message-ID: <weekly-help-2026-11-16@trust.example>');
  });

  test('the letter of a server that died is sent by another one, with the same Message-ID', async () => {
    const { smtp, clock, server, toMonday } = await prepare();
    await server()();
    toMonday();
    const sending = Promise.withResolvers<void>();
    const send = () => {
      sending.resolve();
      return new Promise<never>(() => {});
    };
    void server({ transport: { description: 'one that dies', send } })();
    await sending.promise;
    await server()();
    expect(smtp.accepted).toEqual([]);
    clock.advance(15 * minute);
    await server()();
    expect(smtp.accepted).toHaveLength(2);
  });

  test('problems come first', async () => {
    const { store, clock, server, read, toMonday } = await prepare();
    await server()();
    await storeSubmission(store, { receivedAt: clock.now() });
    for (const claim of await claimMail(store, clock.now(), 1, minute, 'new'))
      await parkMail(store, claim, clock.now(), 'SMTP 550 at RCPT TO');
    toMonday();
    await server({
      health: {
        ready: async () => ({ problems: [], warnings: ['the disk is almost full'], forStaff: [] }),
        deliveries: async () => ({
          problems: ['1 request was refused by the mail server and is parked'],
          warnings: ['the certificate of the mail server runs out on 19 November 2026'],
          forStaff: [],
        }),
      },
      mailCertificate: () => ({ until: new Date(clock.now().getTime() + 3 * day), from: null }),
      canary: async () => ({ succeededAt: clock.now() }),
    })();
    const { subject, text = '', html = '' } = await read();
    expect(subject).toBe(
      '[Website] Needs attention: 1 request was refused by the mail server and is parked (and 2 more)',
    );
    expect(text).toMatch(/^=+\nThis needs attention\n• 1 request was refused/);
    expect(text).toContain(
      '• The certificate of the mail server runs out on 19 November 2026. After that no email is sent.',
    );
    expect(text).toContain('• The disk is almost full.');
    expect(text).toContain('1 request and 0 messages. 1 waits for your mail server');
    expect(text).toContain('worked on 16 November 2026');
    expect(text).not.toContain('All well');
    expect(html).toMatch(/This needs attention.*<h1/s);
  });

  test.each([
    ['for now', '451 later', 16 * minute],
    ['for good', '550 no', day],
  ])(
    'a mailbox that refused it %s gets it later, and the other no second one',
    async (_what, reply, later) => {
      const { smtp, clock, server, wait } = await prepare();
      const sendIfDue = server({ addresses: apart });
      const to = () => smtp.accepted.map((mail) => mail.to.join());
      await sendIfDue();
      wait();
      clock.advance(minute);
      smtp.script.RCPT = (mail) => (mail.to.includes('help@trust.example') ? reply : undefined);
      await sendIfDue();
      expect(to()).toEqual(['office@trust.example']);
      delete smtp.script.RCPT;
      clock.advance(later - 2 * minute);
      await sendIfDue();
      expect(to()).toHaveLength(1);
      clock.advance(2 * minute);
      await sendIfDue();
      expect(to()).toEqual(['office@trust.example', 'help@trust.example']);
    },
  );

  test('each letter has one link of its own, which says what it is for; without one, neither', async () => {
    const { smtp, clock, server, read, toMonday } = await prepare();
    await server({ addresses: apart })();
    toMonday();
    const letterLink = (letter: ReadLetter) => `https://trust.example/${JSON.stringify(letter)}`;
    await server({ addresses: apart, letterLink })();
    for (const [index, form] of (['help', 'contact'] as const).entries()) {
      const url = letterLink({ day: '2026-11-16', form });
      const { text = '', html = '' } = await read(index);
      expect(text.trimEnd().endsWith(`\n\nI have read this letter:\n${url}`)).toBe(true);
      expect(html.match(/<a /g)).toHaveLength(1);
      for (const part of [text, html])
        expect(part).toContain('so that the website knows that somebody reads');
    }
    clock.advance(7 * day);
    await server({ addresses: apart })();
    expect(smtp.accepted).toHaveLength(4);
    expect((await read(2)).text).not.toContain('I have read this letter');
  });
});
