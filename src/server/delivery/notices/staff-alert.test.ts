import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { collectLog } from '../../../../test/support/log.ts';
import { addresses, createClock } from '../../../../test/support/stored-submissions.ts';
import type { WrittenMail } from '../mail.ts';
import { createStaffAlert } from './staff-alert.ts';

function prepare(changes: { escalateTo?: readonly string[] } = {}) {
  const clock = createClock();
  const sent: WrittenMail[] = [];
  const post = { works: true };
  const { log, lines } = collectLog();
  const alertStaff = createStaffAlert({
    transport: {
      description: 'a test',
      async send(mail) {
        if (!post.works) return { ok: false, permanent: false, reason: 'ECONNREFUSED at CONN' };
        sent.push(mail);
        return { ok: true };
      },
    },
    site: () => shippedContent.site,
    addresses,
    now: clock.now,
    monotonic: () => clock.now().getTime(),
    log,
    ...changes,
  });
  return { clock, sent, post, alertStaff, lines };
}

test('both mailboxes read what is wrong, what it means and what to do', async () => {
  const { alertStaff, sent } = prepare();
  await alertStaff('keeping', 'the disk is full');
  expect(sent.map(({ envelope }) => envelope.to[0])).toEqual(Object.values(addresses.to).flat());
  const { subject, text } = await PostalMime.parse(sent[0]?.raw ?? '');
  expect(subject).toBe('[Website] The website cannot take requests');
  expect(text).toContain('The disk is full.');
  expect(text).toContain('could not be saved');
  expect(text).toContain('Please tell the person who runs the website now');
});

test('alerts that requests may not reach staff go to MAIL_TO_ESCALATE too', async () => {
  const { alertStaff, sent } = prepare({ escalateTo: ['night@trust.example'] });
  await alertStaff('space', 'the disk is almost full');
  expect(sent.map(({ envelope }) => envelope.to[0])).not.toContain('night@trust.example');
  await alertStaff('canary', 'its mail was refused');
  expect(sent.slice(2).map(({ envelope }) => envelope.to[0])).toEqual([
    ...Object.values(addresses.to).flat(),
    'night@trust.example',
  ]);
});

test('a website that did not answer is not described as mail that did not arrive', async () => {
  const { alertStaff, sent } = prepare();
  await alertStaff('away', 'at its daily test the website did not answer');
  const { subject, text } = await PostalMime.parse(sent[0]?.raw ?? '');
  expect(subject).toBe('[Website] The website did not answer');
  expect(text).toContain('At its daily test the website did not answer.');
  expect(text).not.toMatch(/did not arrive|reach you\b.*did not|[A-Z]{5,}REFUSED/);
});

test('the same alert is sent once a day, another one at once', async () => {
  const { alertStaff, sent, clock } = prepare();
  for (let hour = 0; hour < 23; hour++) {
    await alertStaff('keeping', 'the disk is full');
    clock.advance(3_600_000);
  }
  expect(sent).toHaveLength(2);
  await alertStaff('space', 'the disk is almost full');
  expect(sent).toHaveLength(4);
  clock.advance(3_600_000);
  await alertStaff('keeping', 'the disk is full');
  expect(sent).toHaveLength(6);
  expect(new Set(sent.map(({ name }) => name)).size).toBe(6);
});

test('an alert that could not be sent is tried again after a minute, and not at every request', async () => {
  const { alertStaff, sent, clock, post, lines } = prepare();
  post.works = false;
  for (let request = 0; request < 10; request++) await alertStaff('keeping', 'the disk is full');
  expect(lines.filter((line) => line.includes('notice not sent'))).toHaveLength(1);
  post.works = true;
  clock.advance(60_000);
  await alertStaff('keeping', 'the disk is full');
  expect(sent).toHaveLength(2);
});
