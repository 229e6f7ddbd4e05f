import PostalMime from 'postal-mime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { smtpTo } from '../../../../test/support/delivery.ts';
import { sqlite } from '../../../../test/support/each-store.ts';
import { shippedContent } from '../../../../test/support/forms.ts';
import { collectLog } from '../../../../test/support/log.ts';
import { serverWith } from '../../../../test/support/recurring.ts';
import { startScriptedSmtp } from '../../../../test/support/scripted-smtp.ts';
import { storeSubmission } from '../../../../test/support/stored-submissions.ts';
import type { FormName } from '../../../model/form-field.ts';
import { claimMail } from '../../store/contract/mail-jobs.ts';
import { nzMoment } from '../../time/nz-time.ts';
import { createMorningReminders, type MorningReminderParts } from './morning-reminder.ts';

const minute = 60_000;
const apart = {
  from: 'website@trust.example',
  to: { help: ['help@trust.example'], contact: ['office@trust.example'] },
};
const shared = { ...apart, to: { help: ['all@trust.example'], contact: ['All@trust.example'] } };
const christmas = [{ from: '2026-12-22', until: '2027-01-11' }];

describe('the morning reminder', () => {
  /** On Thursday 5 November 2026 at noon, after the first round, which a new site skips. */
  async function prepare(changes: Partial<MorningReminderParts> = {}) {
    const opened = await sqlite.open();
    onTestFinished(() => opened.close());
    const { store } = opened;
    const smtp = await startScriptedSmtp();
    onTestFinished(() => smtp.close());
    let at = nzMoment('2026-11-05', '12:00');
    const now = () => at;
    const { log, lines } = collectLog();
    const server = (more: Partial<MorningReminderParts> = {}) => {
      const jobs = createMorningReminders({
        ...{ store, addresses: apart, log, now, site: () => shippedContent.site, at: '08:30' },
        content: { current: () => ({ remindAfter: { help: 1, contact: 3 } }) },
        ...{ retentionDays: 30, unseenRetentionDays: 90, transport: smtpTo(smtp.port) },
        ...changes,
        ...more,
      });
      return serverWith({ store, jobs, now, log });
    };
    await server()();
    /** Goes to this time and has a server look, or several. */
    const lookAt = async (time: string, servers = [server()]) => {
      at = nzMoment(...(time.split(' ') as [string, string]));
      await Promise.all(servers.map((look) => look()));
      return smtp.accepted.splice(0).map(({ to, raw }) => ({ to, raw }));
    };
    const receive = async (time: string, form: FormName = 'help') => {
      const receivedAt = nzMoment(...(time.split(' ') as [string, string]));
      const reference = await storeSubmission(store, { receivedAt, form });
      for (const claim of await claimMail(store, receivedAt, 10, minute, 'new'))
        await store.finishDelivery(claim, receivedAt);
      return reference;
    };
    return { store, smtp, lines, server, lookAt, receive, clock: now };
  }
  const read = async ([mail]: { raw: string }[]) => PostalMime.parse(mail?.raw ?? '');

  test('says that a mail from before SMTP_URL was set is in no mailbox, and how it gets there', async () => {
    const inFolder = new Set<string>();
    const { lookAt, receive } = await prepare({ findInFolder: async () => inFolder });
    inFolder.add(await receive('2026-11-05 14:00'));
    const { text } = await read(await lookAt('2026-11-09 08:30'));
    expect(text).toContain('Its email is in no mailbox');
    expect(text).toContain('./awhina deliveries retry --all');
  });

  test('comes at half past eight, once from three servers, again the next day, and not once it is answered', async () => {
    const { store, server, lookAt, receive, clock } = await prepare();
    const reference = await receive('2026-11-05 14:00');
    const three = () => [server(), server(), server()];
    expect(await lookAt('2026-11-06 08:30', three())).toEqual([]);
    // Friday 14:00 is a working day later.
    expect(await lookAt('2026-11-09 08:29', three())).toEqual([]);
    const mails = await lookAt('2026-11-09 08:30', three());
    expect(mails.map(({ to }) => to)).toEqual([['help@trust.example']]);
    const { subject, text, messageId } = await read(mails);
    expect(subject).toBe('[Website] 1 request waits for an answer');
    expect(text).toContain(
      `${reference}, Get Help\nWaiting since Thursday 5 November, 1 working day. Nobody has taken it.`,
    );
    expect(messageId).toBe('<reminder-help-2026-11-09@trust.example>');
    expect(await lookAt('2026-11-09 17:00', three())).toEqual([]);
    expect(await lookAt('2026-11-10 08:30', three())).toHaveLength(1);
    await store.recordStep(reference, 'answered', 'AB', clock());
    expect(await lookAt('2026-11-11 08:30', three())).toEqual([]);
  });

  test('each form has its own patience and mailbox; forms with the same addresses share one mail', async () => {
    const { lookAt, receive, server } = await prepare();
    await receive('2026-11-05 14:00', 'contact');
    await receive('2026-11-05 14:00', 'help');
    const both = server({ addresses: shared });
    expect((await lookAt('2026-11-09 08:30', [both])).map(({ to }) => to)).toEqual([['all@trust.example']]);
    const mails = await lookAt('2026-11-11 08:30', [both]);
    expect(mails).toHaveLength(1);
    expect((await read(mails)).subject).toBe('[Website] 1 request and 1 message wait for an answer');
    const separate = await lookAt('2026-11-12 08:30');
    expect(separate.map(({ to }) => to).toSorted()).toEqual([
      ['help@trust.example'],
      ['office@trust.example'],
    ]);
  });

  test('names what came in by a clock that was far ahead', async () => {
    const { store, lookAt, receive, clock } = await prepare();
    await store.recordErasing(clock());
    const [untaken, taken] = [await receive('2027-09-01 09:00'), await receive('2027-09-01 09:00')];
    await store.recordStep(taken, 'taken', 'AB', nzMoment('2027-09-01', '09:30'));
    const { text } = await read(await lookAt('2026-11-06 08:30'));
    expect(text).toContain(`${untaken}, Get Help\nThe clock was wrong when it came in.`);
    expect(text).toContain(`${taken}, Get Help`);
  });

  test('is tried again where it could not be sent, under the same Message-ID', async () => {
    const { smtp, lookAt, receive, lines } = await prepare();
    await receive('2026-11-05 14:00');
    smtp.script.END = '451 later';
    expect(await lookAt('2026-11-09 08:30')).toEqual([]);
    expect(lines.join()).toContain('reminder not sent');
    smtp.script = {};
    expect(await lookAt('2026-11-09 08:40')).toEqual([]);
    const mails = await lookAt('2026-11-09 08:46');
    expect(mails).toHaveLength(1);
    const [first, second] = smtp.seen.map(({ raw }) => /^Message-ID: .*$/im.exec(raw)?.[0]);
    expect(first).toBe(second);
    expect(await lookAt('2026-11-09 09:30')).toEqual([]);
  });

  test('comes neither at weekends, on holidays nor on closed days, and after them with the right count', async () => {
    const site = { ...shippedContent.site, closed: christmas };
    const { lookAt, receive } = await prepare({ site: () => site, retentionDays: 90 });
    await receive('2026-12-18 10:00');
    for (const day of ['2026-12-19', '2026-12-20']) expect(await lookAt(`${day} 08:30`)).toEqual([]);
    expect((await read(await lookAt('2026-12-21 10:00'))).text).toContain('1 working day.');
    for (const day of ['2026-12-22', '2026-12-25', '2026-12-28', '2027-01-04', '2027-01-08'])
      expect(await lookAt(`${day} 09:00`)).toEqual([]);
    expect((await read(await lookAt('2027-01-11 10:00'))).text).toContain('2 working days.');
    // Waitangi Day is on a Saturday in 2027, and on Monday people are off work.
    expect(await lookAt('2027-02-08 10:00')).toEqual([]);
    expect(await lookAt('2027-02-09 08:30')).toHaveLength(1);
  });

  test('what a colleague has taken since the reminder before is not in it, and named with the colleague later', async () => {
    const { store, lookAt, receive } = await prepare();
    const [taken, other] = [await receive('2026-11-05 07:00'), await receive('2026-11-05 07:00')];
    expect((await read(await lookAt('2026-11-06 08:30'))).subject).toContain('2 requests wait');
    // On Saturday: the reminder before was on Friday.
    await store.recordStep(taken, 'taken', 'AB', nzMoment('2026-11-07', '20:00'));
    const { text: monday = '' } = await read(await lookAt('2026-11-09 08:30'));
    expect(monday).toContain(other);
    expect(monday).not.toContain(taken);
    const { text: tuesday = '' } = await read(await lookAt('2026-11-10 08:30'));
    expect(tuesday).toMatch(new RegExp(`${taken}, Get Help\\n.* Taken by AB on Saturday 7 November\\.`));
  });

  test('more messages than one mail can count hide no request of another mailbox', async () => {
    const { store, lookAt, receive } = await prepare();
    for (let count = 0; count < 2_001; count++)
      await storeSubmission(store, { form: 'contact', receivedAt: nzMoment('2026-11-04', '07:00') });
    const reference = await receive('2026-11-05 07:00');
    const mails = await lookAt('2026-11-09 08:30');
    const help = mails.filter(({ to }) => to.includes('help@trust.example'));
    expect((await read(help)).text).toContain(reference);
  });
});
