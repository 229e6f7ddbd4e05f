import PostalMime from 'postal-mime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { smtpTo } from '../../../../test/support/delivery.ts';
import { sqlite } from '../../../../test/support/each-store.ts';
import { shippedContent } from '../../../../test/support/forms.ts';
import { claimAlerts } from '../../../../test/support/jobs.ts';
import { collectLog } from '../../../../test/support/log.ts';
import { startScriptedSmtp } from '../../../../test/support/scripted-smtp.ts';
import { addresses, createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import type { Answers } from '../../../model/answers.ts';
import type { BotVerdict } from '../../../model/bot-verdict.ts';
import { claimMail } from '../../store/contract/mail-jobs.ts';
import { createUrgentReminder, type UrgentReminderParts } from './urgent-reminder.ts';

const minute = 60_000;
const hour = 60 * minute;
const manager = 'manager@trust.example';
const staffLink = (reference: string) => `https://www.trust.example/staff/${reference}/0123`;
const refusal = "Please don't contact me, I will contact you";

describe('the reminder of urgent requests', () => {
  /** On a Saturday night. */
  async function prepare(changes: Partial<UrgentReminderParts> = {}) {
    const opened = await sqlite.open();
    onTestFinished(() => opened.close());
    const { store } = opened;
    const smtp = await startScriptedSmtp();
    onTestFinished(() => smtp.close());
    const clock = createClock('2026-11-14T10:00:00Z');
    const { log, lines } = collectLog();
    const server = () =>
      createUrgentReminder({
        ...{ store, addresses, log, now: clock.now, site: () => shippedContent.site, staffLink },
        ...{ at: '08:30', escalateTo: [], withAlerts: false },
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
      for (const claim of await claimMail(store, receivedAt, 10, minute, 'new'))
        await store.finishDelivery(claim, receivedAt);
      return reference;
    };
    return { store, smtp, clock, lines, lookAfter, receive };
  }

  test('staff and MAIL_TO_ESCALATE hear once after an hour, then every two hours, and after a day twice a day without end', async () => {
    const site = { ...shippedContent.site, closed: [{ from: '2026-11-15', until: '2027-02-01' }] };
    const { lookAfter, receive, store, clock } = await prepare({
      site: () => site,
      escalateTo: ['Help@trust.example', manager],
    });
    await storeSubmission(store, { receivedAt: clock.now() });
    const reference = await receive();
    expect(await lookAfter(59 * minute)).toEqual([]);
    const [first, second, ...more] = await lookAfter(minute);
    expect(more).toEqual([]);
    expect([first?.to, second?.to]).toEqual([['help@trust.example'], [manager]]);
    expect(second?.subject).toBe(first?.subject);
    expect(second?.messageId).not.toBe(first?.messageId);
    expect(first?.subject).toBe(`URGENT [Website] Nobody has taken request ${reference}`);
    expect(first?.text).toContain('60 minutes ago. Nobody has taken it.');
    expect(first?.text).toContain(staffLink(reference));
    expect(first?.text).toContain('This is reminder 1. The next one comes in about two hours.');
    expect(first?.headers.find(({ key }) => key === 'importance')?.value).toBe('high');
    expect(await lookAfter(119 * minute)).toEqual([]);
    const texts = [];
    for (let count = 2; count <= 12; count++) {
      const mails = await lookAfter(count === 2 ? minute : 2 * hour);
      expect(mails.map(({ to }) => to)).toEqual([['help@trust.example'], [manager]]);
      texts.push(mails[0]?.text ?? '');
    }
    expect(texts.map((text) => text.includes('in about two hours'))).toEqual([
      ...Array(10).fill(true),
      false,
    ]);
    // It is Sunday, ten in the evening.
    expect(texts.at(-1)).toContain(
      'This is reminder 12. They come twice a day now, the next one on Monday, 16 November 2026 at 8:30 am.',
    );
    expect(await lookAfter(10 * hour + 29 * minute)).toEqual([]);
    for (let count = 13; count <= 73; count++) {
      const mails = await lookAfter(count === 13 ? minute : 12 * hour);
      const isNumbered = ({ text = '' }) => text.includes(`This is reminder ${count}. They`);
      expect(mails.map(isNumbered)).toEqual([true, true]);
    }
  });

  test('they end once somebody has taken or answered it', async () => {
    const { store, lookAfter, receive, clock } = await prepare();
    const [taken, answered, other] = [await receive(), await receive(), await receive()];
    const [all] = await lookAfter(hour);
    expect(all?.subject).toBe('URGENT [Website] Nobody has taken 3 urgent requests');
    await store.recordStep(taken, 'taken', 'AB', clock.now());
    await store.recordStep(answered, 'answered', 'AB', clock.now());
    const [left] = await lookAfter(2 * hour);
    expect(left?.subject).toBe(`URGENT [Website] Nobody has taken request ${other}`);
    await store.recordStep(other, 'taken', 'CD', clock.now());
    expect(await lookAfter(2 * hour)).toEqual([]);
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
    expect(mail?.text).toMatch(
      new RegExp(`${waiting}, .*\\n.*\\nNo mail server has accepted its email yet\\.`),
    );
    for (const part of [mail?.raw, mail?.text, mail?.html]) expect(part).not.toContain(word);
    expect(mail?.text).not.toMatch(/\bcall\b/i);
  });

  test('each mailbox hears of its own forms, and an alert is due again with each reminder', async () => {
    const { store, clock, lookAfter, receive } = await prepare({ withAlerts: true });
    const references = [await receive(), await receive({}, 'contact')];
    const mails = await lookAfter(hour);
    expect(mails.map(({ to }) => to).toSorted()).toEqual([['contact@trust.example'], ['help@trust.example']]);
    const alerts = await claimAlerts(store, clock.now());
    expect(alerts.map(({ reference, kind }) => [reference, kind]).toSorted()).toEqual(
      references.map((reference) => [reference, 'alert again']).toSorted(),
    );
  });

  test('while the mail server is down an alert is due in place of each mail, from one of three servers', async () => {
    const { store, smtp, clock, lookAfter, receive } = await prepare({ withAlerts: true });
    const reference = await receive();
    smtp.script.END = '451 later';
    for (const wait of [hour, 2 * hour]) {
      expect(await lookAfter(wait)).toEqual([]);
      const alerts = await claimAlerts(store, clock.now());
      expect(alerts).toMatchObject([{ reference, kind: 'alert again' }]);
      for (const alert of alerts) expect(await store.completeJob(alert)).toBe(true);
      await lookAfter(10 * minute);
      expect(await claimAlerts(store, clock.now())).toEqual([]);
      clock.advance(-10 * minute);
    }
    smtp.script = {};
    const [third] = await lookAfter(2 * hour);
    expect(third?.text).toContain('This is reminder 3.');
  });

  test('of more than forty every one is named at once, first those that a person sent for certain', async () => {
    const { store, clock, lookAfter, receive } = await prepare();
    const receivedAt = clock.now();
    const verdict: BotVerdict = { kind: 'no-script', doubts: ['old'] };
    const all = [];
    for (let count = 0; count < 45; count++)
      all.push(await storeSubmission(store, { receivedAt, urgent: true, verdict }));
    const reference = await receive();
    const [first] = await lookAfter(hour);
    expect(first?.subject).toBe('URGENT [Website] Nobody has taken 46 urgent requests');
    expect(first?.text).toMatch(new RegExp(`\n\n${reference}, Get Help \\(URGENT\\)`));
    expect(first?.text?.indexOf(reference)).toBeLessThan(first?.text?.indexOf(all[0] ?? '') ?? 0);
    expect(first?.text).toContain(
      `And 6 more, by reference alone (* no mail server has accepted its email yet):\n${all[39]}*, URGENT: ${staffLink(all[39] ?? '')}\n`,
    );
    for (const one of all) expect(first?.text).toContain(staffLink(one));
    expect(await lookAfter(119 * minute)).toEqual([]);
  });

  test('however many become due one after the other, there are six mails an hour, and each is in the next one', async () => {
    const { lookAfter, receive } = await prepare();
    const references = [];
    const texts = [];
    for (let count = 0; count < 30; count++) {
      references.push(await receive());
      await lookAfter(minute);
    }
    for (let count = 0; count < 60; count++)
      for (const { text = '' } of await lookAfter(minute)) texts.push(text);
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.length).toBeLessThanOrEqual(6);
    for (const one of references) expect(texts.filter((text) => text.includes(one))).toHaveLength(1);
  });

  test('what came in more than three days ago comes twice a day from the start, and its alert with it', async () => {
    const { store, clock, lookAfter } = await prepare({ withAlerts: true });
    const receivedAt = new Date(clock.now().getTime() - 73 * hour);
    const reference = await storeSubmission(store, { receivedAt, urgent: true, alert: true });
    const [first] = await lookAfter(hour);
    expect(first?.text).toContain(
      'This is reminder 1. They come twice a day now, the next one on Sunday, 15 November 2026 at 8:30 am.',
    );
    expect(await claimAlerts(store, clock.now())).toMatchObject([{ reference, kind: 'alert again' }]);
    let count = 0;
    for (let hours = 0; hours < 72; hours++) count += (await lookAfter(hour)).length;
    expect(count).toBe(6);
  });

  test('one that filled in the trap field is mailed, and no alert goes with it', async () => {
    const { store, clock, lookAfter } = await prepare({ withAlerts: true });
    const verdict: BotVerdict = { kind: 'no-script', doubts: ['trap'] };
    const reference = await storeSubmission(store, { receivedAt: clock.now(), urgent: true, verdict });
    const [mail] = await lookAfter(hour);
    expect(mail?.text).toContain(reference);
    expect(await claimAlerts(store, clock.now())).toEqual([]);
  });
});
