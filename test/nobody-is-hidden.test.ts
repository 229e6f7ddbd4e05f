import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BotVerdict, Doubt } from '../src/model/bot-verdict.ts';
import { createMorningReminders } from '../src/server/delivery/reminders/morning-reminder.ts';
import { createUrgentReminder } from '../src/server/delivery/reminders/urgent-reminder.ts';
import { claimMail } from '../src/server/store/contract/mail-jobs.ts';
import { unlimitedQuota } from '../src/server/submissions/quota.ts';
import { createSubmit } from '../src/server/submissions/submit.ts';
import { createClockCheck } from '../src/server/time/clock-trust.ts';
import { addDays, nzMoment } from '../src/server/time/nz-time.ts';
import { isWorkingDay } from '../src/server/time/working-days.ts';
import { smtpTo } from './support/delivery.ts';
import { sqlite } from './support/each-store.ts';
import { sampleEntries, shippedContent, withAnswer } from './support/forms.ts';
import { claimAlerts } from './support/jobs.ts';
import { collectLog } from './support/log.ts';
import { serverWith } from './support/recurring.ts';
import { startSmtp } from './support/scripted-smtp.ts';
import { addresses, type SubmissionChanges, storeSubmission } from './support/stored-submissions.ts';
import { believing } from './support/submit.ts';

/** However many others there are, and whoever sent them: staff hear of each person by mail. */

const minute = 60_000;
const hour = 60 * minute;
const noScript: BotVerdict = { kind: 'no-script', doubts: [] };
const staffLink = (reference: string) => `https://www.trust.example/staff/${reference}/${'0'.repeat(32)}`;
const site = { ...shippedContent.site, closed: [] };

describe('of many requests nobody’s is hidden', () => {
  /** On Thursday 5 November 2026 at noon, after the first round, which a new site skips. */
  async function prepare(changes: { retentionDays?: number; unseenRetentionDays?: number } = {}) {
    const opened = await sqlite.open();
    onTestFinished(() => opened.close());
    const { store } = opened;
    const smtp = await startSmtp();
    let at = nzMoment('2026-11-05', '12:00');
    const now = () => at;
    const mailing = {
      ...{ store, addresses, now, site: () => site, staffLink },
      ...{ log: collectLog().log, transport: smtpTo(smtp.port) },
    };
    const jobs = createMorningReminders({
      ...{ ...mailing, at: '08:30', content: { current: () => ({ remindAfter: { help: 1, contact: 3 } }) } },
      ...{ retentionDays: 30, unseenRetentionDays: 90, ...changes },
    });
    const morning = serverWith({ store, jobs, now, ...createClockCheck(now, () => at.getTime()) });
    const urgently = () =>
      createUrgentReminder({
        ...{ ...mailing, at: '08:30', urgentWithinMs: hour, escalateTo: [], withAlerts: false },
      });
    const accepted = async () =>
      Promise.all(
        smtp.accepted.splice(0).map(async ({ raw }) => {
          const { text = '', subject = '' } = await PostalMime.parse(raw);
          return { text, subject, bytes: raw.length };
        }),
      );
    await morning();

    return {
      store,
      now,
      advance: (ms: number) => {
        at = new Date(at.getTime() + ms);
      },
      /** Stores requests that came in a millisecond after each other. */
      receive: (count: number, more: (index: number) => Partial<SubmissionChanges>, seconds = 0) =>
        Promise.all(
          Array.from({ length: count }, (_, index) =>
            storeSubmission(store, {
              receivedAt: new Date(at.getTime() + seconds * 1_000 + index),
              rank: index + 1,
              ...more(index),
            }),
          ),
        ),
      /** Has the mail server accept all that waits. */
      async deliver() {
        for (const kindOfDue of ['new', 'held'] as const)
          for (const claim of await claimMail(store, now(), 20_000, minute, kindOfDue))
            await store.finishDelivery(claim, now());
      },
      /** The mail of each of the next so many working mornings. */
      async mornings(count: number) {
        const mails = [];
        for (let day = '2026-11-09'; mails.length < count; day = addDays(day, 1)) {
          if (!isWorkingDay(day, [])) continue;
          at = nzMoment(day, '08:30');
          await morning();
          const [mail, ...others] = await accepted();
          if (!mail || others.length > 0) throw new Error(`${others.length} more mails on ${day}`);
          mails.push(mail);
        }
        return mails;
      },
      /** Three servers look every minute for so long. Resolves to the mails and when each came. */
      async watchUrgent(ms: number) {
        const mails = [];
        for (const end = at.getTime() + ms; at.getTime() < end; ) {
          at = new Date(at.getTime() + minute);
          await Promise.all([urgently(), urgently(), urgently()].map((look) => look()));
          mails.push(...(await accepted()).map((mail) => ({ ...mail, at })));
        }
        return mails;
      },
    };
  }

  test('forty-one forms without a bot check, sent in a second, are behind the person with a clean one', async () => {
    const { receive, deliver, mornings } = await prepare();
    await receive(41, () => ({ verdict: noScript }));
    const [person = ''] = await receive(1, () => ({}), 60);
    await deliver();
    const mails = await mornings(16);
    expect(mails.filter(({ text }) => text.includes(`${person}, Get Help`))).toHaveLength(16);
  });

  test('a person without a script is not behind a hundred such forms of one address', async () => {
    const { receive, deliver, mornings } = await prepare();
    await receive(100, () => ({ verdict: noScript, urgent: true }));
    const [person = ''] = await receive(1, () => ({ verdict: noScript }), 60);
    await deliver();
    for (const { text } of await mornings(3)) expect(text).toContain(`${person}, Get Help`);
  });

  test('a third of the places is for the oldest that are not urgent', async () => {
    const { receive, deliver, mornings } = await prepare();
    const calm = await receive(20, () => ({ rank: 1 }));
    await receive(100, () => ({ urgent: true, rank: 1 }));
    await deliver();
    const [{ text } = { text: '' }] = await mornings(1);
    expect(calm.filter((one) => text.includes(`${one}, Get Help\n`))).toEqual(calm.slice(0, 13));
  });

  test('five hundred are each named with a link within three mornings, and again before they are erased', async () => {
    const { receive, deliver, mornings } = await prepare({ retentionDays: 14, unseenRetentionDays: 21 });
    const all = await receive(500, (index) => ({ verdict: index % 3 === 0 ? { kind: 'clean' } : noScript }));
    await deliver();
    const mails = await mornings(13);
    const namedIn = (from: number, to?: number) => {
      const text = mails
        .slice(from, to)
        .map((mail) => mail.text)
        .join('\n');
      return all.filter((reference) => text.includes(staffLink(reference)));
    };
    expect(namedIn(0, 3)).toEqual(all);
    // Erased on Thursday 26 November, after the thirteenth.
    expect(namedIn(10)).toEqual(all);
    expect(mails.at(-1)?.text).toContain('erased on Thursday 26 November');
    for (const { bytes } of mails) expect(bytes).toBeLessThan(100_000);
  });

  test('an urgent form with the hidden field filled in is mailed as urgent, and rings for nobody', async () => {
    const { store, now } = await prepare();
    const submitForm = createSubmit({ store, botCheck: believing, now, alerts: true });
    const urgently = withAnswer(sampleEntries.help, 'SupportNeeded', ['Feeling unsafe at home']);
    const send = async (...doubts: Doubt[]) => {
      const id = randomUUID();
      const post = { identities: [id, `${id} before`] as const, doubts };
      const outcome = await submitForm(shippedContent.forms.help, urgently, post, unlimitedQuota);
      if (!outcome.ok) throw new Error(outcome.message);
      return outcome.receipt.reference;
    };
    const trapped = await send('old', 'trap');
    expect(await claimAlerts(store, now())).toEqual([]);
    const [due] = await claimMail(store, now(), 10, minute, 'new');
    expect(due?.submission).toMatchObject({ reference: trapped, delivery: { urgent: true } });
    const person = await send();
    expect(await claimAlerts(store, now())).toMatchObject([{ reference: person }]);
  });

  test('of three hundred urgent ones without a script each is named within two mails', async () => {
    const { receive, deliver, advance, watchUrgent } = await prepare();
    const all = await receive(300, () => ({ verdict: noScript, urgent: true }));
    await deliver();
    advance(hour);
    const mails = await watchUrgent(3 * hour);
    expect(mails).toHaveLength(2);
    const text = mails.map((mail) => mail.text).join();
    expect(all.filter((one) => !text.includes(staffLink(one)))).toEqual([]);
  });

  test('of a thousand urgent ones that are junk and one that is not, the very next mail names the one', async () => {
    const { receive, deliver, watchUrgent } = await prepare();
    // Several times what one mail has room for.
    await receive(1_000, () => ({ verdict: { kind: 'many' }, urgent: true }));
    const [person = ''] = await receive(1, () => ({ urgent: true }), 30 * 60);
    await deliver();
    const before = await watchUrgent(89 * minute);
    const mails = await watchUrgent(3 * hour);
    expect(before.concat(mails).filter(({ text }) => text.includes(person)).length).toBe(2);
    // The flood is one mail in two hours: what has no room in it waits as long as what has.
    expect(mails.length).toBeLessThanOrEqual(6);
    // Due in the first minute of the second watch, and again two hours later.
    const [next] = mails;
    expect(next?.text).toContain(`${person}, Get Help (URGENT)`);
    for (const { at } of [...before, ...mails]) {
      const within = [...before, ...mails].filter(
        (one) => one.at >= at && one.at.getTime() < at.getTime() + hour,
      );
      expect(within.length).toBeLessThanOrEqual(6);
    }
    for (const { bytes } of mails) expect(bytes).toBeLessThan(100_000);
  });
});
