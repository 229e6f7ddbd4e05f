import PostalMime from 'postal-mime';
import { expect, onTestFinished, test } from 'vitest';
import { shippedContent } from '../../../test/support/forms.ts';
import { addresses, createClock, keepSubmission } from '../../../test/support/kept-submissions.ts';
import { keepLog } from '../../../test/support/log.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { openSqliteStore } from '../submissions/sqlite/sqlite-store.ts';
import { createEscalating } from './escalating.ts';
import type { WrittenMail } from './mail.ts';

const to = ['manager@trust.example', 'chair@trust.example'];
const late = 10 * 60_000;

async function prepare(recipients = to) {
  const store = await openSqliteStore(temporaryFolder());
  onTestFinished(() => store.close());
  const clock = createClock();
  const { log, lines } = keepLog();
  const sent: WrittenMail[] = [];
  const mailServer = { works: true };
  const escalate = createEscalating({
    queue: store,
    transport: {
      description: 'a test',
      async send(mail) {
        if (!mailServer.works) return { ok: false, permanent: false, reason: 'SMTP 421 at CONN' };
        sent.push(mail);
        return { ok: true };
      },
    },
    site: () => shippedContent.site,
    addresses,
    to: recipients,
    now: clock.now,
    log,
  });
  const keep = (answers = {}) => keepSubmission(store, { receivedAt: clock.now(), urgent: true, answers });
  return { store, clock, sent, mailServer, escalate, keep, lines };
}

test('all that are late come in one mail, which says what they are called and nothing of what they say', async () => {
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
  const { subject, text, html } = await PostalMime.parse(sent[0]?.raw ?? '');
  expect(subject).toBe('URGENT [Website] 2 urgent requests have not reached your team');
  for (const part of [text, html]) {
    expect(part).toContain(first);
    expect(part).toContain(second);
    expect(part).not.toMatch(/kept secret|Hōne|visitor\.example/);
  }
});

test('where the mail does not go out it is tried again', async () => {
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

test('where nobody is to be told, nothing is marked as told', async () => {
  const { store, clock, sent, escalate, keep } = await prepare([]);
  const reference = await keep();
  clock.advance(late);
  await escalate();
  expect(sent).toEqual([]);
  expect(await store.claimEscalations(clock.now(), late)).toMatchObject([{ reference }]);
});
