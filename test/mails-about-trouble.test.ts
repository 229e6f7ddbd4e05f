import PostalMime from 'postal-mime';
import { onTestFinished, test } from 'vitest';
import { writeTestMail } from '../src/cli/mail/mail-probe.ts';
import type { BotVerdict } from '../src/model/bot-verdict.ts';
import { createSubmissionMail } from '../src/server/delivery/letter/submission-mail.ts';
import type { WrittenMail } from '../src/server/delivery/mail.ts';
import { createEscalation } from '../src/server/delivery/notices/escalation.ts';
import { createRefusals } from '../src/server/delivery/notices/refusals.ts';
import { sendNotice } from '../src/server/delivery/notices/send-notice.ts';
import { type Alert, createStaffAlert } from '../src/server/delivery/notices/staff-alert.ts';
import { createTellOthers } from '../src/server/delivery/notices/tell-others.ts';
import { createUndeliveredNotice } from '../src/server/delivery/notices/undelivered-notice.ts';
import { createDigest } from '../src/server/delivery/queue/digest.ts';
import { claimMail, parkMail } from '../src/server/store/contract/mail-jobs.ts';
import { sqlite } from './support/each-store.ts';
import { shippedContent } from './support/forms.ts';
import { collectLog } from './support/log.ts';
import { expectMail } from './support/mail-snapshot.ts';
import { addresses, createClock, storeSubmission } from './support/stored-submissions.ts';
import { receivedAt, stored } from './support/submission-mail.ts';

const minute = 60_000;
const staffLink = (reference: string) => `https://www.kowhai.example/staff/${reference}/${'0'.repeat(32)}`;

/** What is mailed, with one reference for all. */
async function prepare() {
  const { store, close } = await sqlite.open();
  onTestFinished(close);
  const clock = createClock('2026-11-15T02:10:49Z');
  const sent: WrittenMail[] = [];
  const server: { refuses: (mail: WrittenMail) => boolean } = { refuses: () => false };
  const mailing = {
    transport: {
      description: 'a test',
      async send(mail: WrittenMail) {
        if (server.refuses(mail)) return { ok: false as const, permanent: true, reason: 'SMTP 554 at DATA' };
        sent.push(mail);
        return { ok: true as const };
      },
    },
    ...{ site: () => shippedContent.site, addresses, staffLink, now: clock.now, log: collectLog().log },
  };
  const expectSent = async (name: string, index = 0) => {
    const { subject = '', text = '', html = '' } = await PostalMime.parse(sent[index]?.raw ?? '');
    const plain = (words: string) => words.replace(/\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/g, 'HK7W-3RQX').trimEnd();
    await expectMail(name, { subject: plain(subject), text: `${plain(text)}\n`, html: plain(html) });
  };
  return { store, clock, sent, server, mailing, expectSent };
}

const troubles: Record<Alert, string> = {
  keeping: 'the disk is full',
  space: 'the disk is almost full: 120 MB are left of the 200 that there should be',
  content: 'site.yaml, line 12: expected words',
  canary: 'its mail was refused',
  away: 'at its daily test the website did not answer',
  mail: 'SMTP 535 at AUTH',
  mailAgain: 'the mail server accepts email again',
  clock: 'the clock jumped ahead by 40 days',
  certificate: 'the certificate of the mail server runs out on 21 November 2026',
};

test.each(Object.entries(troubles) as [Alert, string][])(
  'the alert about %s reads as it should',
  async (alert, problem) => {
    const { mailing, expectSent } = await prepare();
    await createStaffAlert(mailing)(alert, problem);
    await expectSent(`alert-${alert}`);
  },
);

test('the mail about urgent requests that have not reached staff reads as it should', async () => {
  const { store, clock, mailing, expectSent } = await prepare();
  const SafeContact = ["Please don't contact me, I will contact you"];
  await storeSubmission(store, { receivedAt: clock.now(), urgent: true, answers: { SafeContact } });
  clock.advance(10 * minute);
  await createEscalation({ ...mailing, queue: store, to: ['manager@trust.example'] })();
  await expectSent('urgent-request-not-delivered');
});

test('the mail about requests that no mail server accepts reads as it should', async () => {
  const { store, clock, mailing, expectSent } = await prepare();
  for (const form of ['help', 'contact'] as const)
    await storeSubmission(store, { form, receivedAt: clock.now() });
  for (const claim of await claimMail(store, clock.now(), 1, minute, 'new'))
    await parkMail(store, claim, clock.now(), 'SMTP 550 at RCPT TO');
  clock.advance(61 * minute);
  await createUndeliveredNotice({ ...mailing, queue: store })();
  await expectSent('requests-not-delivered');
});

test('what is mailed where a mail server refuses a notice reads as it should', async () => {
  const { clock, server, mailing, sent, expectSent } = await prepare();
  const escalateTo = ['manager@elsewhere.example'];
  const { tellOthers } = createTellOthers({ ...mailing, hasMailServer: true, escalateTo });
  const refusals = createRefusals(clock.now).telling(tellOthers, escalateTo);
  const notice = { letter: { title: 'HK7W-3RQX waits' }, name: 'notice', to: addresses.to.help };
  // The whole mail first, and the short one after it.
  let refused = 0;
  server.refuses = () => refused++ === 0;
  await sendNotice({ ...mailing, refusals }, notice);
  await expectSent('refused-and-shortened');
  server.refuses = ({ envelope }) => envelope.to.includes('help@trust.example');
  await sendNotice({ ...mailing, refusals }, notice);
  await expectSent('refused-twice', sent.length - 1);
});

test.each(['many', 'trap'] as const)(
  'a digest of requests held back for %s reads as it should',
  async (doubt) => {
    const { store, clock, mailing, expectSent } = await prepare();
    const heldUntil = new Date(clock.now().getTime() + 10 * minute);
    const verdict: BotVerdict = { kind: 'no-script', doubts: [doubt] };
    await storeSubmission(store, { receivedAt: clock.now(), verdict, heldUntil });
    clock.advance(10 * minute);
    await createDigest({ ...mailing, queue: store })();
    await expectSent(`held-back-${doubt}`);
  },
);

const doubtful: Record<string, Parameters<typeof stored>[2]> = {
  'low-score': { verdict: { kind: 'low-score', score: 0.1 } },
  'bot-check-away': { verdict: { kind: 'unverified' } },
  'many-from-one-address': { verdict: { kind: 'many' } },
  'without-a-script': { verdict: { kind: 'no-script', doubts: ['trap', 'old', 'undated', 'many'] } },
  sealed: { answers: { sealed: 'x' } },
  damaged: { damaged: '{"sample":' },
};

test.each(Object.entries(doubtful))('%s reads as it should', async (name, changes) => {
  const mail = createSubmissionMail(
    stored('help', {}, changes),
    shippedContent.site,
    addresses,
    receivedAt,
    staffLink,
  );
  await expectMail(name, mail);
});

test.each(['https://www.kowhai.example/staff/test/0', undefined])(
  'a test mail reads as it should, with the link %s',
  async (url) => {
    const { mailing, sent, expectSent } = await prepare();
    sent.push(
      await writeTestMail(
        { name: 'Sample', address: mailing.addresses.from },
        'help@trust.example',
        receivedAt,
        url,
      ),
    );
    await expectSent(url ? 'test-with-a-link' : 'test-without-a-link');
  },
);
