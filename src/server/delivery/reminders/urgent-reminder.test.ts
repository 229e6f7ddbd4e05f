import PostalMime from 'postal-mime';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { smtpTo } from '../../../../test/support/delivery.ts';
import { eachStore } from '../../../../test/support/each-store.ts';
import { shippedContent } from '../../../../test/support/forms.ts';
import { collectLog } from '../../../../test/support/log.ts';
import { startScriptedSmtp } from '../../../../test/support/scripted-smtp.ts';
import { addresses, createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import type { Answers } from '../../../model/answers.ts';
import { createUrgentReminder, type UrgentReminderParts } from './urgent-reminder.ts';

const minute = 60_000;
const hour = 60 * minute;
const staffLink = (reference: string) => `https://www.trust.example/staff/${reference}/0123`;
const refusal = "Please don't contact me, I will contact you";

describe.each(eachStore())('the reminder of urgent requests, with %s', (_name, kind) => {
  afterAll(() => kind.end());

  /** On a Saturday night. */
  async function prepare(changes: Partial<UrgentReminderParts> = {}) {
    const opened = await kind.open();
    onTestFinished(() => opened.close());
    const { store } = opened;
    const smtp = await startScriptedSmtp();
    onTestFinished(() => smtp.close());
    const clock = createClock('2026-11-14T10:00:00Z');
    const { log, lines } = collectLog();
    const server = () =>
      createUrgentReminder({
        ...{ store, addresses, log, now: clock.now, site: () => shippedContent.site, staffLink },
        ...{ urgentWithinMs: hour, escalateTo: ['manager@trust.example'], withAlerts: false },
        transport: smtpTo(smtp.port),
        ...changes,
      });
    /** Waits, has three servers look, and gives back what was sent. */
    const lookAfter = async (ms: number) => {
      clock.advance(ms);
      await Promise.all([server(), server(), server()].map((look) => look()));
      return Promise.all(
        smtp.accepted.splice(0).map(async ({ to, raw }) => ({ ...(await PostalMime.parse(raw)), to, raw })),
      );
    };
    const receive = async (answers: Answers = {}, form: 'help' | 'contact' = 'help') => {
      const receivedAt = clock.now();
      const reference = await storeSubmission(store, { receivedAt, urgent: true, answers, form });
      for (const claim of await store.claimDueDeliveries(receivedAt, 10, minute, 'new'))
        await store.finishDelivery(claim, receivedAt);
      return reference;
    };
    return { store, smtp, clock, lines, server, lookAfter, receive };
  }

  test('staff and MAIL_TO_ESCALATE hear once after an hour, every two hours, twelve times, and of the last one that it is', async () => {
    const { lookAfter, receive, store, clock } = await prepare();
    await storeSubmission(store, { receivedAt: clock.now() });
    const reference = await receive();
    expect(await lookAfter(59 * minute)).toEqual([]);
    const [first, ...more] = await lookAfter(minute);
    expect(more).toEqual([]);
    expect(first?.to).toEqual(['help@trust.example', 'manager@trust.example']);
    expect(first?.subject).toBe(`URGENT [Website] Nobody has taken urgent request ${reference}`);
    expect(first?.text).toContain('60 minutes ago. Nobody has taken it.');
    expect(first?.text).toContain(staffLink(reference));
    expect(first?.text).toContain('This is reminder 1 of 12.');
    expect(first?.headers.find(({ key }) => key === 'importance')?.value).toBe('high');
    expect(await lookAfter(119 * minute)).toEqual([]);
    const texts = [];
    for (let count = 2; count <= 12; count++) {
      const mails = await lookAfter(count === 2 ? minute : 2 * hour);
      texts.push(...mails.map(({ text = '' }) => text));
    }
    expect(texts.map((text) => text.includes('THE LAST REMINDER'))).toEqual([...Array(10).fill(false), true]);
    expect(await lookAfter(2 * hour)).toEqual([]);
    expect(await lookAfter(48 * hour)).toEqual([]);
  });

  test('they end once somebody has taken or answered it', async () => {
    const { store, lookAfter, receive, clock } = await prepare();
    const [taken, answered, other] = [await receive(), await receive(), await receive()];
    const [all] = await lookAfter(hour);
    expect(all?.subject).toBe('URGENT [Website] Nobody has taken 3 urgent requests');
    await store.recordStep(taken, 'taken', 'AB', clock.now());
    await store.recordStep(answered, 'answered', 'AB', clock.now());
    const [left] = await lookAfter(2 * hour);
    expect(left?.subject).toBe(`URGENT [Website] Nobody has taken urgent request ${other}`);
    await store.recordStep(other, 'taken', 'CD', clock.now());
    expect(await lookAfter(2 * hour)).toEqual([]);
  });

  test('one that could not be sent is tried again after five minutes, under the same Message-ID', async () => {
    const { smtp, lookAfter, receive, lines } = await prepare();
    await receive();
    smtp.script.END = '451 later';
    expect(await lookAfter(hour)).toEqual([]);
    expect(lines.join()).toContain('urgent reminder not sent');
    smtp.script = {};
    expect(await lookAfter(4 * minute)).toEqual([]);
    const [again] = await lookAfter(minute);
    expect(again?.text).toContain('This is reminder 1 of 12.');
    const ids = smtp.seen.map(({ raw }) => /^Message-ID: .*$/im.exec(raw)?.[0]);
    expect(new Set(ids).size).toBe(1);
    expect(await lookAfter(119 * minute)).toEqual([]);
  });

  test('no word of a request is in it; who must not be contacted, and what was not delivered, is marked', async () => {
    const { store, clock, lookAfter, receive } = await prepare();
    const word = 'Zuckerwatte';
    const words = {
      FirstName: word,
      LastName: word,
      Email: `${word}@visitor.example`,
      Subject: word,
      Message: word,
    };
    const refused = await receive({ ...words, Phone: word, SafeContact: ['Phone call', refusal] });
    const waiting = await storeSubmission(store, { receivedAt: clock.now(), urgent: true, answers: words });
    const [mail] = await lookAfter(hour);
    expect(mail?.text).toContain(`${refused}, Get Help (URGENT)\nDO NOT CONTACT THIS PERSON.\n`);
    expect(mail?.text).toMatch(new RegExp(`${waiting}, .*\\n.*\\nIts email has not reached you yet\\.`));
    for (const part of [mail?.raw, mail?.text, mail?.html]) expect(part).not.toContain(word);
    expect(mail?.text).not.toMatch(/\bcall\b/i);
  });

  test('each mailbox hears of its own forms, and an alert is due again with each reminder', async () => {
    const { store, clock, lookAfter, receive } = await prepare({ withAlerts: true, escalateTo: [] });
    const references = [await receive(), await receive({}, 'contact')];
    const mails = await lookAfter(hour);
    expect(mails.map(({ to }) => to).toSorted()).toEqual([['contact@trust.example'], ['help@trust.example']]);
    const alerts = await store.claimAlerts(clock.now(), 10, minute);
    expect(alerts.map(({ reference, escalated }) => [reference, escalated]).toSorted()).toEqual(
      references.map((reference) => [reference, true]).toSorted(),
    );
  });

  test('while the mail server is down an alert is due all the same, once, and not again with the mail', async () => {
    const { store, smtp, clock, server: createServer, receive } = await prepare({ withAlerts: true });
    const server = createServer();
    const reference = await receive();
    smtp.script.END = '451 later';
    clock.advance(hour);
    await server();
    const [alert] = await store.claimAlerts(clock.now(), 10, minute);
    expect(alert).toMatchObject({ reference, escalated: true });
    if (alert) expect(await store.finishAlert(alert)).toBe(true);
    clock.advance(5 * minute);
    await server();
    expect(await store.claimAlerts(clock.now(), 10, minute)).toEqual([]);
    smtp.script = {};
    clock.advance(5 * minute);
    await server();
    expect(smtp.accepted).toHaveLength(1);
    expect(await store.claimAlerts(clock.now(), 10, minute)).toEqual([]);
  });
});
