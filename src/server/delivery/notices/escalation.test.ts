import PostalMime from 'postal-mime';
import { expect, onTestFinished, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { collectLog } from '../../../../test/support/log.ts';
import { addresses, createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { WrittenMail } from '../mail.ts';
import { createEscalation } from './escalation.ts';

const to = ['manager@trust.example', 'chair@trust.example'];
const late = 10 * 60_000;

async function prepare(recipients = to) {
  const store = await openSqliteStore(temporaryFolder());
  onTestFinished(() => store.close());
  const clock = createClock();
  const { log, lines } = collectLog();
  const sent: WrittenMail[] = [];
  const mailServer = { works: true };
  const site = { read: () => shippedContent.site };
  const damage = { isDone: false };
  const escalate = createEscalation({
    queue: {
      async claimEscalations(...asked) {
        const claimed = await store.claimEscalations(...asked);
        return damage.isDone ? claimed.map((one) => ({ ...one, receivedAt: new Date(Number.NaN) })) : claimed;
      },
      releaseEscalations: store.releaseEscalations,
      findSubmission: store.findSubmission,
    },
    transport: {
      description: 'a test',
      async send(mail) {
        if (!mailServer.works) return { ok: false, permanent: false, reason: 'SMTP 421 at CONN' };
        sent.push(mail);
        return { ok: true };
      },
    },
    site: () => site.read(),
    addresses,
    to: recipients,
    now: clock.now,
    log,
  });
  const keep = (answers = {}) => storeSubmission(store, { receivedAt: clock.now(), urgent: true, answers });
  return { store, clock, sent, mailServer, site, damage, escalate, keep, lines };
}

test('all late requests come in one mail, with their references and none of their answers', async () => {
  const { clock, sent, escalate, keep } = await prepare();
  const first = await keep({ Subject: 'kept secret' });
  const second = await keep();
  await escalate();
  expect(sent).toEqual([]);
  clock.advance(late);
  await escalate();
  await escalate();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.envelope.to).toEqual(to);
  const { subject, text, html, headers } = await PostalMime.parse(sent[0]?.raw ?? '');
  expect(headers.find(({ key }) => key === 'importance')?.value).toBe('high');
  expect(subject).toBe('URGENT [Website] 2 urgent requests have not reached your team');
  for (const part of [text, html]) {
    expect(part).toContain(first);
    expect(part).toContain(second);
    expect(part).not.toMatch(/kept secret|Hōne|visitor\.example/);
  }
});

test('a person who must not be contacted is named as such, and nobody else', async () => {
  const { clock, sent, escalate, keep } = await prepare();
  const refused = await keep({ SafeContact: ["Please don't contact me, I will contact you"] });
  const other = await keep({ SafeContact: ['Phone call'] });
  clock.advance(late);
  await escalate();
  const { text } = await PostalMime.parse(sent[0]?.raw ?? '');
  expect(text).toContain(`DO NOT CONTACT THIS PERSON: ${refused}\n`);
  expect(text).toContain(`${refused}: DO NOT CONTACT THIS PERSON. `);
  expect(text).not.toContain(`${other}: DO NOT`);
});

test('the mail names at most fifty requests', async () => {
  const { clock, sent, escalate, keep } = await prepare();
  for (let count = 0; count < 60; count++) await keep();
  clock.advance(late);
  await escalate();
  const { subject, text } = await PostalMime.parse(sent[0]?.raw ?? '');
  expect(subject).toContain('60 urgent requests');
  expect(text?.match(/^[A-Z0-9]{4}-[A-Z0-9]{4}:/gm)).toHaveLength(50);
  expect(text).toMatch(/^And more: +10$/m);
});

test('requests are released where the mail cannot be written', async () => {
  const { clock, sent, site, escalate, keep, lines } = await prepare();
  await keep();
  clock.advance(late);
  site.read = () => {
    throw new TypeError('not of this site');
  };
  await escalate();
  expect(lines.join()).toContain('TypeError');
  site.read = () => shippedContent.site;
  await escalate();
  expect(sent).toHaveLength(1);
});

test('requests are released where the letter cannot be written, as with a time from a damaged database', async () => {
  const { clock, sent, damage, escalate, keep, lines } = await prepare();
  await keep();
  clock.advance(late);
  damage.isDone = true;
  await escalate();
  expect(lines.join()).toContain('not escalated');
  damage.isDone = false;
  await escalate();
  expect(sent).toHaveLength(1);
});

test('requests are released where the mail could not be sent', async () => {
  const { clock, sent, mailServer, escalate, keep, lines } = await prepare();
  await keep();
  clock.advance(late);
  mailServer.works = false;
  await escalate();
  expect(lines.join()).toContain('not escalated');
  mailServer.works = true;
  await escalate();
  expect(sent).toHaveLength(1);
});

test('without MAIL_TO_ESCALATE nothing is claimed', async () => {
  const { store, clock, sent, escalate, keep } = await prepare([]);
  const reference = await keep();
  clock.advance(late);
  await escalate();
  expect(sent).toEqual([]);
  expect(await store.claimEscalations(clock.now(), late)).toMatchObject([{ reference }]);
});
