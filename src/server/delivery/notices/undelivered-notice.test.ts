import { describe, expect, onTestFinished, test } from 'vitest';
import { sqlite } from '../../../../test/support/each-store.ts';
import { shippedContent } from '../../../../test/support/forms.ts';
import { collectLog } from '../../../../test/support/log.ts';
import { addresses, createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import { claimMail, parkMail } from '../../store/contract/mail-jobs.ts';
import type { WrittenMail } from '../mail.ts';
import { findDeliveryProblems } from './delivery-problems.ts';
import { createUndeliveredNotice } from './undelivered-notice.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe('undelivered requests', () => {
  async function prepare() {
    const { store, close } = await sqlite.open();
    onTestFinished(close);
    const clock = createClock();
    const { log, lines } = collectLog();
    const sent: WrittenMail[] = [];
    const broken = new Set<string>();
    const transport = {
      description: 'a test',
      async send(mail: WrittenMail) {
        if (broken.has(mail.envelope.to[0] ?? '')) {
          return { ok: false, permanent: true, reason: 'SMTP 550 at RCPT TO' } as const;
        }
        sent.push(mail);
        return { ok: true } as const;
      },
    };
    const site = () => shippedContent.site;
    const look = createUndeliveredNotice({ queue: store, transport, site, addresses, now: clock.now, log });
    const ready = () => findDeliveryProblems(store, clock.now());
    const park = async () => {
      for (const claim of await claimMail(store, clock.now(), 100, minute, 'new')) {
        await parkMail(store, claim, clock.now(), 'SMTP 550 at RCPT TO');
      }
    };
    const keep = (form: 'help' | 'contact' = 'help') =>
      storeSubmission(store, { form, receivedAt: clock.now() });
    return { store, clock, lines, sent, broken, look, ready, park, keep };
  }

  test('a request that is undelivered for more than an hour is a problem', async () => {
    const { clock, ready, keep } = await prepare();
    await keep();
    clock.advance(60 * minute);
    expect(await ready()).toEqual([]);
    clock.advance(1);
    expect(await ready()).toEqual(['the oldest request has waited over an hour for a mail server']);
  });

  test('an undelivered request from the future is a problem', async () => {
    const { store, clock, ready } = await prepare();
    await storeSubmission(store, { receivedAt: new Date(clock.now().getTime() + 30 * minute) });
    expect(await ready()).toEqual([]);
    clock.advance(-day);
    expect(await ready()).toHaveLength(1);
  });

  test('a parked request is a problem until it is tried again', async () => {
    const { store, clock, ready, park, keep } = await prepare();
    await keep();
    await park();
    expect(await ready()).toEqual(['1 request was refused by the mail server and is parked']);
    await keep('contact');
    await park();
    expect(await ready()).toEqual(['2 requests were refused by the mail server and are parked']);
    await store.retryDeliveries('all', clock.now());
    expect(await ready()).toEqual([]);
  });

  test('each change is logged once', async () => {
    const { store, clock, lines, look, keep } = await prepare();
    const events = () => lines.map((line) => JSON.parse(line).event);
    await look();
    expect(events()).toEqual([]);
    await keep();
    clock.advance(61 * minute);
    for (let n = 0; n < 5; n++) await look();
    expect(events()).toEqual(['mail of requests not accepted', 'notice sent']);
    for (const claim of await claimMail(store, clock.now(), 1, minute, 'new')) {
      await store.finishDelivery(claim, clock.now());
    }
    for (let n = 0; n < 5; n++) await look();
    expect(events().at(-1)).toBe('mail of requests accepted again');
    expect(events()).toHaveLength(3);
  });

  test('staff get one notice a day, in the mailbox without a problem', async () => {
    const { clock, sent, look, keep, park } = await prepare();
    await keep('help');
    await park();
    for (let n = 0; n < 3; n++) await look();
    expect(sent.map(({ envelope }) => envelope.to)).toEqual([addresses.to.contact]);
    expect(sent[0]?.raw.toString()).toContain('Subject: [Website] Requests are not reaching you');
    clock.advance(day - 1);
    await look();
    expect(sent).toHaveLength(1);
    clock.advance(1);
    await look();
    expect(sent).toHaveLength(2);
  });

  test('where one mailbox refuses the notice the other gets it, and where both do it is tried again', async () => {
    const { sent, broken, look, keep, park, clock } = await prepare();
    await keep('help');
    await park();
    for (const to of Object.values(addresses.to).flat()) broken.add(to);
    await look();
    expect(sent).toEqual([]);
    for (const to of addresses.to.help) broken.delete(to);
    clock.advance(5 * minute);
    await look();
    expect(sent.map(({ envelope }) => envelope.to)).toEqual([addresses.to.help]);
  });
});
