import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { sqlite } from '../../../../test/support/each-store.ts';
import { at, prepareUnseenJob } from '../../../../test/support/unseen-job.ts';
import type { BotVerdict } from '../../../model/bot-verdict.ts';
import { createStaffProblems } from './unseen.ts';

const trapped: BotVerdict = { kind: 'no-script', doubts: ['trap'] };
const linkTo = (reference: string) => `https://www.kowhai.example/staff/${reference}/key`;

describe('mail to others about a flood', () => {
  async function prepare() {
    const prepared = await prepareUnseenJob(sqlite);
    const { lookAt, receive } = prepared;
    /** Goes to this time, and reads the one mail that is sent there. */
    const readAt = async (time: string) => {
      const [mail, ...others] = await lookAt(time);
      if (!mail || others.length > 0) throw new Error(`${others.length} more mails at ${time}`);
      const { subject = '', text = '', html = '' } = await PostalMime.parse(mail.raw);
      return { subject, text, html };
    };
    const flood = (count: number, changes: Parameters<typeof receive>[0]) =>
      Promise.all(Array.from({ length: count }, (_, index) => receive({ rank: index + 1, ...changes })));
    return { ...prepared, readAt, flood };
  }

  test('five hundred urgent ones of one address hide nobody who is calm, not even before theirs is erased', async () => {
    const { lookAt, flood, receive, readAt } = await prepare();
    await flood(500, { urgent: true });
    await lookAt('2026-11-02 10:00');
    const person = await receive();
    for (const time of ['2026-11-05 08:30', '2027-01-20 08:30']) {
      const { text } = await readAt(time);
      expect(text).toContain(`${person}, Get Help\n`);
    }
  });

  test('every one of them is named with its link', async () => {
    const { flood, receive, readAt } = await prepare();
    const all = [...(await flood(600, { urgent: true })), await receive()];
    const { text, html } = await readAt('2026-11-05 08:30');
    expect(all.filter((one) => !text.includes(linkTo(one)) || !html.includes(linkTo(one)))).toEqual([]);
  });

  test('what will be erased soon comes first, then those that a person sent for certain', async () => {
    const { flood, receive, readAt } = await prepare();
    const doubted = { verdict: { kind: 'many' }, receivedAt: at('2026-08-10 09:00') } as const;
    const erasedSoon = await receive(doubted);
    await flood(45, { verdict: { kind: 'many' }, urgent: true });
    const person = await receive({ receivedAt: at('2026-11-02 10:00') });
    const { subject, text } = await readAt('2026-11-05 08:30');
    expect(subject).toBe('URGENT [Website] Nobody has seen 47 requests');
    const named = text.match(/^[A-Z\d]{4}-[A-Z\d]{4}(?=, Get Help)/gm);
    expect(named?.slice(0, 2)).toEqual([erasedSoon, person]);
    expect(named).toHaveLength(40);
    expect(text).toContain('And 7 more, by reference alone');
  });

  test('what came in by a clock that was far ahead is named on the next morning', async () => {
    const { store, receive, readAt, now } = await prepare();
    await store.recordErasing(now());
    const person = await receive({ receivedAt: at('2027-09-01 09:00') });
    expect((await readAt('2026-11-03 08:30')).text).toContain(
      `${person}, Get Help\nThe clock was wrong when it came in.`,
    );
  });

  test('those with the trap field filled in make no mail due, ring for nobody, and leave health green', async () => {
    const { store, flood, receive, lookAt, readAt, alerts, now } = await prepare();
    const junk = await flood(45, { verdict: trapped, urgent: true });
    expect(await lookAt('2026-11-05 08:30')).toEqual([]);
    expect(alerts).toEqual([]);
    const content = { current: () => ({ remindAfter: { help: 1, contact: 3 }, site: { closed: [] } }) };
    const health = { store, content, unseenRetentionDays: 90, now };
    expect(await createStaffProblems(health)()).toEqual([]);
    const person = await receive();
    const { subject, text } = await readAt('2026-11-10 08:30');
    expect(subject).toBe('[Website] Nobody has seen 1 request');
    expect(alerts).toEqual(['Nobody has seen 1 request, the oldest since Thursday 5 November']);
    expect(text.match(/, Get Help/g)).toHaveLength(1);
    expect(text.indexOf(person)).toBeLessThan(Math.min(...junk.map((one) => text.indexOf(linkTo(one)))));
    for (const one of junk) expect(text).toContain(linkTo(one));
  });
});
