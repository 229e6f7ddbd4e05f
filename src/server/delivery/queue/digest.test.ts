import PostalMime from 'postal-mime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { smtpTo } from '../../../../test/support/delivery.ts';
import { sqlite } from '../../../../test/support/each-store.ts';
import { shippedContent } from '../../../../test/support/forms.ts';
import { collectLog } from '../../../../test/support/log.ts';
import { startScriptedSmtp } from '../../../../test/support/scripted-smtp.ts';
import { addresses, createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import { createDigest } from './digest.ts';

const minute = 60_000;

describe('digests', () => {
  async function prepare() {
    const { store, close } = await sqlite.open();
    const smtp = await startScriptedSmtp();
    onTestFinished(async () => {
      await smtp.close();
      await close();
    });
    const clock = createClock();
    const sendDigests = createDigest({
      queue: store,
      transport: smtpTo(smtp.port),
      site: () => shippedContent.site,
      addresses,
      staffLink: (reference) => `https://trust.example/staff/${reference}/key`,
      now: clock.now,
      log: collectLog().log,
    });
    const keep = (
      form: 'help' | 'contact',
      Message: string,
      SafeContact = ['Email'],
      doubt: 'many' | 'trap' = 'many',
    ) =>
      storeSubmission(store, {
        form,
        answers: form === 'help' ? { Message, SafeContact } : { Message },
        verdict: { kind: 'no-script', doubts: [doubt] },
        receivedAt: clock.now(),
        heldUntil: new Date(clock.now().getTime() + 10 * minute),
      });
    return { store, smtp, clock, sendDigests, keep };
  }

  test('requests that were held back come in one digest for each form, each whole and with its warnings', async () => {
    const { store, smtp, clock, sendDigests, keep } = await prepare();
    const first = await keep('help', 'The first of three');
    const second = await keep('help', 'The second of three', ["Please don't contact me, I will contact you"]);
    const third = await keep('contact', 'The third of three');
    await sendDigests();
    expect(smtp.accepted).toEqual([]);

    clock.advance(10 * minute);
    await sendDigests();
    expect(smtp.accepted.flatMap(({ to }) => to)).toEqual(['help@trust.example', 'contact@trust.example']);
    const [help, contact] = await Promise.all(smtp.accepted.map(({ raw }) => PostalMime.parse(raw)));
    expect(help?.subject).toBe('[Get Help] 2 requests held back');
    for (const words of [first, second, 'The first of three', 'The second of three', 'read all of them'])
      for (const body of [help?.text, help?.html]) expect(body).toContain(words);
    expect(help?.text).toContain('DO NOT CONTACT THIS PERSON.');
    for (const reference of [first, second])
      for (const body of [help?.text, help?.html])
        expect(body?.split(`https://trust.example/staff/${reference}/key`)).toHaveLength(2);
    expect(help?.replyTo).toBeUndefined();
    expect(contact?.subject).toBe('[Contact Us] 1 message held back');
    for (const reference of [first, second, third])
      expect((await store.findSubmission(reference))?.delivery.deliveredAt).toEqual(clock.now());
    await sendDigests();
    expect(smtp.accepted).toHaveLength(2);
  });

  test('requests with a filled trap field come in a digest of their own', async () => {
    const { smtp, clock, sendDigests, keep } = await prepare();
    const persons = await keep('help', 'Somebody behind a busy address');
    const sprung = [await keep('help', 'A program', [], 'trap'), await keep('help', 'Another', [], 'trap')];
    clock.advance(10 * minute);
    await sendDigests();
    const mails = await Promise.all(smtp.accepted.map(({ raw }) => PostalMime.parse(raw)));
    const held = mails.map(({ headers }) => headers.find(({ key }) => key === 'x-requests')?.value);
    expect(held).toEqual([persons, sprung.join(', ')]);
    expect(mails[1]?.text).toContain('a hidden field was filled in');
    expect(mails[0]?.text).not.toContain('hidden field');
  });

  test('a digest that the mail server defers is sent again as a whole', async () => {
    const { store, smtp, clock, sendDigests, keep } = await prepare();
    const reference = await keep('help', 'Words');
    clock.advance(10 * minute);
    smtp.script.END = '452 no room just now';
    await sendDigests();
    expect((await store.findSubmission(reference))?.delivery).toMatchObject({
      deliveredAt: null,
      parkedAt: null,
      lastError: expect.stringContaining('452'),
    });
    delete smtp.script.END;
    clock.advance(minute);
    await sendDigests();
    expect(smtp.accepted).toHaveLength(1);
    expect((await store.findSubmission(reference))?.delivery.deliveredAt).not.toBeNull();
  });

  test('where the mail server refuses one request of a digest, that one is parked and the others reach staff', async () => {
    const { store, smtp, clock, sendDigests, keep } = await prepare();
    const references = [];
    for (let count = 0; count < 40; count++) references.push(await keep('help', `Somebody, ${count}`));
    const refused = await keep('help', 'What every mailbox takes for spam');
    for (let count = 40; count < 60; count++) references.push(await keep('help', `Somebody, ${count}`));
    clock.advance(10 * minute);
    smtp.script.END = ({ raw }) => (raw.includes(refused) ? '550 spam' : undefined);
    await sendDigests();
    for (const reference of references)
      expect((await store.findSubmission(reference))?.delivery.deliveredAt).toEqual(clock.now());
    expect((await store.findSubmission(refused))?.delivery).toMatchObject({
      deliveredAt: null,
      parkedAt: clock.now(),
    });
  });

  test('a digest that is refused altogether is split into a bounded number of mails', async () => {
    const { smtp, clock, sendDigests, keep } = await prepare();
    for (let count = 0; count < 50; count++) await keep('help', `Somebody, ${count}`);
    clock.advance(10 * minute);
    smtp.script.END = '550 spam';
    await sendDigests();
    expect(smtp.seen).toHaveLength(32);
  });

  test('a digest of sealed answers is bounded in length too', async () => {
    const { store, smtp, clock, sendDigests } = await prepare();
    for (let count = 0; count < 60; count++)
      await storeSubmission(store, {
        seal: async () => ({ sealed: 'x'.repeat(40_000) }),
        receivedAt: clock.now(),
        heldUntil: clock.now(),
      });
    for (let look = 0; look < 3; look++) await sendDigests();
    expect(smtp.accepted).toHaveLength(3);
    for (const { raw } of smtp.accepted) expect(raw.length).toBeLessThan(2_000_000);
  });

  test('requests that are too much for one digest come in several, and none is missing', async () => {
    const { smtp, clock, sendDigests, keep } = await prepare();
    const long = 'Some long words. '.repeat(580);
    const references = [];
    for (let count = 0; count < 110; count++) references.push(await keep('contact', `${count} ${long}`));
    clock.advance(10 * minute);
    await sendDigests();
    await sendDigests();
    const bodies = await Promise.all(
      smtp.accepted.map(async ({ raw }) => (await PostalMime.parse(raw)).text ?? ''),
    );
    expect(bodies).toHaveLength(2);
    for (const reference of references)
      expect(bodies.filter((body) => body.includes(reference))).toHaveLength(1);
  });
});
