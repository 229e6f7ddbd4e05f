import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MailTransport } from '../src/server/delivery/mail-transport.ts';
import type { DeliveryWorkerParts } from '../src/server/delivery/queue/delivery-worker.ts';
import { createClientLimits, type PacedRequest } from '../src/server/http/client-limits.ts';
import { claimMail } from '../src/server/store/contract/mail-jobs.ts';
import { createSubmit } from '../src/server/submissions/submit.ts';
import { workerFor } from './support/delivery.ts';
import { type OpenedStore, sqlite } from './support/each-store.ts';
import { sampleEntries, shippedContent, withAnswer } from './support/forms.ts';
import { createClock } from './support/stored-submissions.ts';
import { believing } from './support/submit.ts';

const minute = 60_000;
const hour = 60 * minute;
const urgently = withAnswer(sampleEntries.help, 'SupportNeeded', ['Feeling unsafe at home']);

const flooders = Array.from({ length: 10 }, (_, number) => `203.0.113.${number + 1}`);
const person = '198.51.100.7';

describe('mail from many senders', () => {
  let opened: OpenedStore;
  let clock: ReturnType<typeof createClock>;
  /** Who sent what, by its reference. */
  let senders: Map<string, string>;
  let send: (address: string, how?: { urgent?: boolean; trap?: boolean }) => Promise<string>;

  beforeEach(async () => {
    opened = await sqlite.open();
    clock = createClock();
    senders = new Map();
    const limits = createClientLimits({ clock: () => clock.now().getTime() });
    const submitForm = createSubmit({ store: opened.store, botCheck: believing, now: clock.now });
    send = async (address, { urgent = false, trap } = {}) => {
      const asked: PacedRequest = {
        method: 'POST',
        url: '/graphql',
        headers: {},
        socket: { remoteAddress: address } as Socket,
      };
      const id = randomUUID();
      const plain = { identities: [id, `${id} before`] as const, doubts: trap ? ['trap' as const] : [] };
      const entries = urgent ? urgently : sampleEntries.help;
      const proof = trap === undefined ? id : plain;
      const outcome = await submitForm(shippedContent.forms.help, entries, proof, limits.quotaOf(asked));
      if (!outcome.ok) throw new Error(outcome.message);
      senders.set(outcome.receipt.reference, address);
      clock.advance(10);
      return outcome.receipt.reference;
    };
  });
  afterEach(() => opened.close());

  /** The senders in the order in which their mail goes out. */
  async function sendMail(options: DeliveryWorkerParts['options'] = {}, transport?: MailTransport['send']) {
    const order: string[] = [];
    const record: MailTransport = {
      description: 'a test',
      async send(mail) {
        const outcome = (await transport?.(mail)) ?? { ok: true };
        if (outcome.ok) order.push(senders.get(mail.name) ?? mail.name);
        return outcome;
      },
    };
    await workerFor(opened.store, record, clock.now, { concurrency: 1, everyMs: 0, ...options }).sendDue();
    return order;
  }

  const flood = async (count: number, how: Parameters<typeof send>[1] = {}) => {
    for (const address of flooders) for (let n = 0; n < count; n++) await send(address, how);
  };

  test('one person’s mail goes out before the second mail of any of ten floods', async () => {
    await flood(3, { urgent: true });
    await send(person, { urgent: true });
    const order = await sendMail();
    expect(order).toHaveLength(31);
    expect(order.slice(0, 11)).toContain(person);
    expect(new Set(order.slice(0, 11)).size).toBe(11);
  });

  test('one person’s mail goes out before the second mails that floods left from earlier hours', async () => {
    await flood(2, { urgent: true });
    clock.advance(2 * hour);
    await flood(1, { urgent: true });
    await send(person, { urgent: true });
    // Each flood is the first of its sender once an hour, and only those go before.
    const order = await sendMail();
    expect(order.slice(order.indexOf(person) + 1)).toHaveLength(10);
  });

  test('a mail that is not urgent goes before the second mail of floods marked as urgent', async () => {
    await flood(2, { urgent: true });
    await send(person);
    expect((await sendMail()).indexOf(person)).toBe(10);
  });

  test('one person’s mail goes before the second mails of floods also after a failure of the mail server', async () => {
    await flood(2, { urgent: true });
    await send(person, { urgent: true });
    const away = { ok: false, permanent: false, reason: 'SMTP 451 at DATA' } as const;
    expect(await sendMail({ concurrency: 4 }, async () => away)).toEqual([]);
    clock.advance(hour);
    expect((await sendMail({ concurrency: 2 })).slice(0, 11)).toContain(person);
  });

  test('a first mail waits for no more mails than are being sent', async () => {
    const [flooder = ''] = flooders;
    for (let n = 0; n < 10; n++) await send(flooder, { urgent: true });
    const inHand = 4;
    const arrived = Promise.withResolvers<void>();
    let begun = 0;
    const order = await sendMail({ concurrency: inHand }, async () => {
      if (++begun === inHand) {
        await send(person, { urgent: true });
        arrived.resolve();
      }
      await arrived.promise;
      return { ok: true };
    });
    expect(order.slice(0, inHand)).not.toContain(person);
    expect(order.slice(inHand, 2 * inHand)).toContain(person);
  });

  const claimHeld = async () => {
    clock.advance(10 * minute);
    const held = await claimMail(opened.store, clock.now(), 1_000, minute, 'held');
    return held.map(({ submission }) => senders.get(submission.reference));
  };

  test('a flood without a script is held for one digest, without the mail of another address', async () => {
    for (let n = 0; n < 31; n++) await send(flooders[0] ?? '', { trap: false });
    for (let n = 0; n < 10; n++) await send(person, { trap: false });
    const order = await sendMail();
    expect(order.filter((one) => one === person)).toHaveLength(10);
    expect(order).toHaveLength(20);
    expect(await claimHeld()).toEqual(Array.from({ length: 21 }, () => flooders[0]));
  });

  test('an urgent mail is never held, also where the same address floods or the trap field is filled', async () => {
    for (let n = 0; n < 31; n++) await send(person, { trap: false });
    const urgent = [
      await send(person, { trap: false, urgent: true }),
      await send(person, { trap: true, urgent: true }),
    ];
    await sendMail();
    for (const reference of urgent)
      expect(await opened.store.findSubmission(reference)).toMatchObject({
        delivery: { deliveredAt: clock.now() },
      });
    expect(await claimHeld()).toHaveLength(21);
  });
});
