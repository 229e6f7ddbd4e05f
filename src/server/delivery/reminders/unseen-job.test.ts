import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { sqlite } from '../../../../test/support/each-store.ts';
import { shippedContent } from '../../../../test/support/forms.ts';
import { addresses, at, manager, prepareUnseenJob } from '../../../../test/support/unseen-job.ts';
import { addDays, nzDay } from '../../time/nz-time.ts';
import { createStaffProblems } from './unseen.ts';
import type { UnseenJobParts } from './unseen-job.ts';

describe('mail to others about what nobody has seen', () => {
  const prepare = (changes?: Partial<UnseenJobParts>, hasMailServer?: boolean) =>
    prepareUnseenJob(sqlite, changes, hasMailServer);
  const read = async ([mail]: { raw: string }[]) => PostalMime.parse(mail?.raw ?? '');
  const addressees = (mails: { to: string[] }[]) => mails.map(({ to }) => to.join());

  test('without a mail server ALERT_URL alone hears, and no mail is written', async () => {
    const { lookAt, receive, alerts } = await prepare({}, false);
    await receive();
    expect(await lookAt('2026-11-05 08:30')).toEqual([]);
    expect(alerts).toEqual(['Nobody has seen 1 request, the oldest since Monday 2 November']);
  });

  test('is a mail of its own to MAIL_TO_ESCALATE, once a working day from three servers, until somebody has seen it', async () => {
    const { store, server, lookAt, receive, alerts, now } = await prepare();
    // No mail server has accepted it either.
    const reference = await receive();
    const three = () => [server(), server(), server()];
    expect(await lookAt('2026-11-03 09:00', three())).toEqual([]);
    // At half past eight on Wednesday two working days have not passed.
    expect(await lookAt('2026-11-04 10:00', three())).toEqual([]);
    const mails = await lookAt('2026-11-05 08:30', three());
    expect(addressees(mails)).toEqual(manager);
    const { subject, text } = await read(mails);
    expect(subject).toBe('[Website] Nobody has seen 1 request');
    expect(text).toContain('These are for help@trust.example.');
    expect(text).toContain(
      `${reference}, Get Help\nWaiting since Monday 2 November, 2 working days. Nobody has taken it.`,
    );
    expect(text).toContain(`\nhttps://www.kowhai.example/staff/${reference}/key\n`);
    expect(alerts).toEqual(['Nobody has seen 1 request, the oldest since Monday 2 November']);
    expect(await lookAt('2026-11-05 17:00', three())).toEqual([]);
    expect(await lookAt('2026-11-06 08:30', three())).toHaveLength(1);
    for (const day of ['2026-11-07', '2026-11-08']) expect(await lookAt(`${day} 12:00`)).toEqual([]);
    expect(await lookAt('2026-11-09 08:30')).toHaveLength(1);
    await store.recordStep(reference, 'taken', 'AB', now());
    expect(await lookAt('2026-11-10 08:30')).toEqual([]);
    await store.undoStep(reference, 'taken', now());
    expect(await lookAt('2026-11-11 08:30')).toHaveLength(1);
  });

  test('goes by mailbox: without MAIL_TO_ESCALATE the other one hears, each form after its own time', async () => {
    const { lookAt, receive } = await prepare({ escalateTo: [] });
    const [request, message] = [await receive(), await receive({ form: 'contact' })];
    const first = await lookAt('2026-11-05 08:30');
    expect(addressees(first)).toEqual(['office@trust.example']);
    expect((await read(first)).text).toContain(request);
    expect((await read(first)).text).not.toContain(message);
    // Tuesday: six working days.
    expect(addressees(await lookAt('2026-11-11 08:30')).toSorted()).toEqual([
      'help@trust.example',
      'office@trust.example',
    ]);
  });

  test('nobody is mailed if there is nobody else, and ALERT_URL still hears', async () => {
    const shared = { ...addresses, to: { help: ['all@trust.example'], contact: ['all@trust.example'] } };
    const alone = { addresses: shared, escalateTo: [] };
    const silent = await prepare({ ...alone, withAlerts: false });
    await silent.receive();
    expect(await silent.lookAt('2026-11-05 08:30')).toEqual([]);
    const withAlerts = await prepare(alone);
    await withAlerts.receive();
    expect(await withAlerts.lookAt('2026-11-05 08:30')).toEqual([]);
    await withAlerts.lookAt('2026-11-05 09:30');
    expect(withAlerts.alerts).toHaveLength(1);
  });

  test('while the trust is closed others are warned every day of what will be erased within fourteen days', async () => {
    const closed = [{ from: '2026-11-03', until: '2027-02-01', text: '' }];
    const { lookAt, receive, alerts } = await prepare({
      site: () => ({ ...shippedContent.site, closed }),
      unseenRetentionDays: 38,
    });
    const reference = await receive();
    const erasedAt = at('2026-12-10 09:00');
    const warned: string[] = [];
    for (let day = '2026-11-03'; day <= '2026-12-10'; day = addDays(day, 1)) {
      // On one of these mornings the server is off, and comes back in the evening.
      const mails = await lookAt(`${day} ${day === '2026-11-26' ? '21:30' : '08:30'}`);
      if (mails.length > 0) warned.push(day);
      for (const mail of mails) {
        const { text } = await read([mail]);
        expect(text).toContain(`${reference}, Get Help`);
        expect(text).toContain('\nWill be erased on Thursday 10 December.\n');
      }
    }
    expect(warned.map((day) => (Date.parse(nzDay(erasedAt)) - Date.parse(day)) / 86_400_000)).toEqual(
      Array.from({ length: 15 }, (_, index) => 14 - index),
    );
    expect(new Set(alerts)).toEqual(
      new Set([
        'Nobody has seen 1 request, the oldest since Monday 2 November. It will be erased on Thursday 10 December',
      ]),
    );
    expect(alerts).toHaveLength(15);
  });

  test('is tried again if it could not be sent, and the alert is not repeated', async () => {
    const { smtp, lookAt, receive, alerts, lines } = await prepare();
    await receive();
    smtp.script.END = '451 later';
    expect(await lookAt('2026-11-05 08:30')).toEqual([]);
    expect(lines.join()).toContain('others not told');
    smtp.script = {};
    expect(await lookAt('2026-11-05 08:40')).toEqual([]);
    expect(await lookAt('2026-11-05 08:46')).toHaveLength(1);
    expect(alerts).toHaveLength(1);
    expect(await lookAt('2026-11-05 09:30')).toEqual([]);
    expect(await lookAt('2026-11-06 08:30')).toHaveLength(1);
    expect(alerts).toHaveLength(2);
  });

  test('an alert that failed while its mail was sent is tried again by itself, for a day', async () => {
    const { lookAt, receive, alerts, receiver } = await prepare();
    await receive();
    receiver.problem = 'HTTP 500';
    expect(await lookAt('2026-11-05 08:30')).toHaveLength(1);
    expect(await lookAt('2026-11-05 08:35')).toEqual([]);
    expect(alerts).toEqual([]);
    receiver.problem = null;
    for (const time of ['08:40', '08:45']) expect(await lookAt(`2026-11-05 ${time}`)).toEqual([]);
    expect(alerts).toHaveLength(1);
    receiver.problem = 'HTTP 500';
    expect(await lookAt('2026-11-06 08:30')).toHaveLength(1);
    receiver.problem = null;
    expect(await lookAt('2026-11-07 12:00')).toEqual([]);
    expect(alerts).toHaveLength(1);
  });

  test('an alert that failed is not repeated once somebody has seen all, and otherwise says what is so now', async () => {
    const { store, lookAt, receive, alerts, receiver, now } = await prepare();
    const [first, second] = [await receive(), await receive()];
    receiver.problem = 'HTTP 500';
    expect(await lookAt('2026-11-05 08:31')).toHaveLength(1);
    await store.recordStep(first, 'answered', 'AB', now());
    receiver.problem = null;
    await lookAt('2026-11-05 09:00');
    expect(alerts).toEqual(['Nobody has seen 1 request, the oldest since Monday 2 November']);
    receiver.problem = 'HTTP 500';
    expect(await lookAt('2026-11-06 08:31')).toHaveLength(1);
    await store.recordStep(second, 'answered', 'AB', now());
    receiver.problem = null;
    await lookAt('2026-11-06 16:00');
    expect(alerts).toHaveLength(1);
  });

  test('what others refuse for good is tried once a day, and ALERT_URL hears each day all the same', async () => {
    const { smtp, lookAt, receive, alerts, receiver } = await prepare();
    await receive();
    smtp.script.END = '554 5.7.1 no';
    receiver.problem = 'HTTP 500';
    await lookAt('2026-11-05 08:31');
    receiver.problem = null;
    for (let hour = 9; hour < 20; hour++)
      for (const minute of ['00', '15', '30', '45'])
        await lookAt(`2026-11-05 ${String(hour).padStart(2, '0')}:${minute}`);
    // Whole and short.
    expect([alerts, smtp.seen]).toMatchObject([{ length: 1 }, { length: 2 }]);
    // The next working day's mail is tried although its time comes a minute earlier.
    for (const time of ['08:30', '09:30']) await lookAt(`2026-11-06 ${time}`);
    expect([alerts, smtp.seen]).toMatchObject([{ length: 2 }, { length: 4 }]);
    smtp.script = {};
    expect(await lookAt('2026-11-06 10:30')).toEqual([]);
    expect(await lookAt('2026-11-09 08:30')).toHaveLength(1);
  });

  test('health names how many, and since when; not with REMINDERS=off', async () => {
    const { store, receive, now, lookAt } = await prepare();
    await receive();
    await receive({ form: 'contact' });
    const content = {
      current: () => ({ remindAfter: { help: 1, contact: 3 }, site: { closed: [] } }),
    };
    const find = (unseenRetentionDays: number | null = 90) =>
      createStaffProblems({ store, content, unseenRetentionDays, now })();
    await lookAt('2026-11-04 08:59');
    expect(await find()).toEqual([]);
    await lookAt('2026-11-04 09:00');
    expect(await find()).toEqual(['nobody has seen 1 request, the oldest since Monday 2 November']);
    await lookAt('2026-11-10 09:00');
    expect(await find()).toEqual([
      'nobody has seen 1 request and 1 message, the oldest since Monday 2 November',
    ]);
    expect(await find(14)).toEqual([
      'nobody has seen 1 request and 1 message, the oldest since Monday 2 November. It will be erased on Monday 16 November',
    ]);
    expect(await find(null)).toEqual([]);
  });
});
