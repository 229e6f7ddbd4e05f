import { describe, expect, onTestFinished, test } from 'vitest';
import { sqlite } from '../../../test/support/each-store.ts';
import { shippedContent } from '../../../test/support/forms.ts';
import { collectLog } from '../../../test/support/log.ts';
import { addresses, createClock } from '../../../test/support/stored-submissions.ts';
import type { ForOthers } from '../delivery/notices/tell-others.ts';
import { mailboxSign } from '../store/contract/times.ts';
import { createClockCheck } from '../time/clock-trust.ts';
import { createProofOfReading, explainNoProof, type ProofParts } from './proof-of-reading.ts';

const hour = 3_600_000;
const day = 24 * hour;
const on = { publicUrl: 'https://trust.example', weeklyLetter: true, mail: { smtpUrl: 'smtp://there' } };
const nobody = (since: string, address: string) => `nobody has shown since ${since} that ${address} is read`;

describe('the proof that a mailbox is read', () => {
  /** Monday 2 November 2026 at noon. */
  async function prepare(changes: Partial<ProofParts> = {}) {
    const opened = await sqlite.open();
    onTestFinished(() => opened.close());
    const { store } = opened;
    const clock = createClock('2026-11-01T23:00:00Z');
    const told: (ForOthers & { to: string })[] = [];
    const hears = { others: true };
    const create = (more: Partial<ProofParts> = {}) =>
      createProofOfReading({
        settings: on,
        ...{ store, addresses, now: clock.now, log: collectLog().log, site: () => shippedContent.site },
        async tellOthers({ to }, notice) {
          told.push({ ...notice, to: to.join() });
          return hears.others;
        },
        ...createClockCheck(clock.now, () => clock.now().getTime()),
        ...changes,
        ...more,
      });
    const proof = create();
    /** As the server does, which looks every five minutes. */
    const pass = async (days: number, one = proof) => {
      for (let hours = 0; hours < days * 24; hours += 6) {
        clock.advance(6 * hour);
        await one.tellOfSilent();
      }
    };
    const sign = (form: 'help' | 'contact') => store.recordTime(mailboxSign(form), clock.now());
    return { store, clock, told, hears, create, proof, pass, sign };
  }

  test('after ten working days without a press the others are told, once a week, until somebody presses', async () => {
    const { proof, told, pass, sign } = await prepare();
    await proof.tellOfSilent();
    await pass(13.75);
    await sign('contact');
    expect([told, await proof.findProblems()]).toEqual([[], []]);
    await pass(0.5);
    expect(await proof.findProblems()).toEqual([nobody('2 November 2026', 'help@trust.example')]);
    expect(told.map(({ to }) => to)).toEqual(['help@trust.example']);
    await pass(6.5);
    expect(told).toHaveLength(1);
    await pass(0.5);
    expect(told.map(({ to }) => to)).toEqual(['help@trust.example', 'help@trust.example']);
    await sign('help');
    expect(await proof.findProblems()).toEqual([]);
    await pass(6);
    expect(told).toHaveLength(2);
  });

  test('what the others get names the mailbox and the day; the alert elsewhere has no address', async () => {
    const { proof, told, pass } = await prepare();
    await proof.tellOfSilent();
    await pass(15);
    const [{ letter, sentence, name } = { letter: undefined, sentence: '', name: '' }] = told;
    expect(JSON.stringify(letter)).toContain(
      'Nobody has shown since 2 November 2026 that help@trust.example is read.',
    );
    expect(name).toBe('unread-help');
    expect(sentence).toBe(
      'Nobody has shown since 2 November 2026 that the website’s mailbox for requests for help is read.',
    );
  });

  test('an alert that failed is not repeated once somebody has pressed', async () => {
    const { proof, told, pass, sign } = await prepare();
    await proof.tellOfSilent();
    await pass(15);
    const of = told.find(({ name }) => name === 'unread-help');
    expect(await of?.describeAgain?.()).toBe(of?.sentence);
    await sign('help');
    expect(await of?.describeAgain?.()).toBeNull();
  });

  test('one mailbox for both forms is one, and a press for either form counts', async () => {
    const both = { ...addresses, to: { help: ['a@trust.example'], contact: ['A@trust.example'] } };
    const { proof, told, pass, sign } = await prepare({ addresses: both });
    await proof.tellOfSilent();
    await pass(10);
    await sign('contact');
    await pass(10);
    expect(told).toEqual([]);
    await pass(5);
    expect(told.map(({ to }) => to)).toEqual(['a@trust.example']);
  });

  test('days on which the trust is closed do not count', async () => {
    const closed = [{ from: '2026-11-03', until: '2026-11-16' }] as never;
    const site = () => ({ ...shippedContent.site, closed });
    const { proof, told, pass } = await prepare({ site });
    await proof.tellOfSilent();
    await pass(20);
    expect(told).toEqual([]);
    await pass(8);
    expect(told).not.toEqual([]);
  });

  test('several servers tell once; where nobody could be told it is tried again', async () => {
    const { proof, told, pass, hears, create, clock } = await prepare();
    await proof.tellOfSilent();
    hears.others = false;
    await pass(14.5);
    const failed = told.length;
    expect(failed).toBeGreaterThan(1);
    hears.others = true;
    clock.advance(hour);
    await Promise.all([proof, create(), create()].map((one) => one.tellOfSilent()));
    // One for each mailbox.
    expect(told).toHaveLength(failed + 2);
  });

  test('days are counted anew after a week in which no server asked for a press', async () => {
    const { proof, told, pass, clock } = await prepare();
    await proof.tellOfSilent();
    await pass(9);
    clock.advance(60 * day);
    await proof.tellOfSilent();
    expect([told, await proof.findProblems()]).toEqual([[], []]);
    await pass(15);
    expect(told.map(({ to }) => to)).toEqual(['help@trust.example', 'contact@trust.example']);
  });

  test('by a clock in doubt nobody is told, and a press that it recorded in the future does not count', async () => {
    const { store, proof, told, clock, create, sign, pass } = await prepare();
    await proof.tellOfSilent();
    await store.recordErasing(clock.now());
    clock.advance(300 * day);
    await sign('help');
    const doubting = create({ ...createClockCheck(clock.now, () => 0) });
    await doubting.tellOfSilent();
    expect([told, await doubting.findProblems()]).toEqual([[], []]);
    clock.advance(-300 * day);
    await pass(15);
    expect(told.map(({ to }) => to)).toEqual(['contact@trust.example', 'help@trust.example']);
  });
});

test.each([
  ['SMTP_URL is not set', { mail: {} }],
  ['PUBLIC_URL is not set', { publicUrl: undefined }],
  ['WEEKLY_LETTER is off', { weeklyLetter: false }],
  [null, {}],
])('%s', (reason, changes) => {
  expect(explainNoProof({ ...on, ...changes })).toBe(reason);
});
