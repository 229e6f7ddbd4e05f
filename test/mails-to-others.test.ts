import { expect, test } from 'vitest';
import type { Answers } from '../src/model/answers.ts';
import { formNames } from '../src/model/form-field.ts';
import { createNoticeMail } from '../src/server/delivery/notices/send-notice.ts';
import { writeUnseen } from '../src/server/delivery/reminders/unseen-mail.ts';
import type { StoredSubmission } from '../src/server/store/contract/submission.ts';
import { nzMoment } from '../src/server/time/nz-time.ts';
import { shippedContent } from './support/forms.ts';
import { addresses } from './support/stored-submissions.ts';
import { outlinesOf, stored } from './support/submission-mail.ts';

/** The mails as MAIL_TO_ESCALATE gets them, whole: test/mails/ is to be read like a mailbox. */

const now = nzMoment('2026-11-17', '08:30');
const receive = (
  reference: string,
  day: string,
  form: 'help' | 'contact' = 'help',
  answers: Answers = {},
) => {
  const receivedAt = nzMoment(day, '09:00');
  return stored(form, answers, { reference, receivedAt, delivery: { deliveredAt: receivedAt } });
};
const urgent = receive('QT4R-8WMC', '2026-11-12');
urgent.delivery.urgent = true;

const mails: Record<string, StoredSubmission[]> = {
  'what-nobody-has-seen': [
    urgent,
    receive('HK7W-3RQX', '2026-08-31'),
    receive('CD2F-9KTN', '2026-11-10', 'help', {
      SafeContact: ["Please don't contact me, I will contact you"],
    }),
    receive('WJ5T-2BQL', '2026-11-09', 'contact'),
  ],
  'what-nobody-has-seen-of-many': Array.from({ length: 43 }, (_, index) =>
    receive(`HK7W-3R${index + 10}`, '2026-11-10'),
  ),
};

test.each(Object.entries(mails))('%s reads as it should', async (name, listed) => {
  const summaries = formNames.flatMap((form) => {
    const same = listed.filter((one) => one.form === form);
    const oldestReceivedAt = new Date(Math.min(...same.map(({ receivedAt }) => receivedAt.getTime())));
    const urgentUntaken = same.filter(({ delivery }) => delivery.urgent).length;
    return same.length === 0 ? [] : [{ form, open: same.length, urgentUntaken, oldestReceivedAt }];
  });
  const mailbox = { forms: formNames, to: ['help@trust.example'] };
  const rules = { remindAfter: { help: 1, contact: 3 }, closed: [], unseenRetentionDays: 90 };
  const staffLink = (reference: string) => `https://www.kowhai.example/staff/${reference}/${'0'.repeat(32)}`;
  const { site } = shippedContent;
  const unseen = outlinesOf(listed).outlines;
  const [named, bare, inFolder] = [listed.slice(0, 40), unseen.slice(40), new Set<string>()];
  const { sentence, ...notice } = writeUnseen(
    { named, bare, unseen, summaries, mailbox, rules, now, inFolder },
    site,
    staffLink,
  );
  const mailing = { site: () => site, addresses, now: () => now };
  const { subject, text, html } = createNoticeMail(mailing, {
    ...notice,
    to: ['manager@elsewhere.example'],
  });
  const alert = `Alert: ${sentence}\n`;
  await expect(`Subject: ${subject}\n${alert}\n${text}`).toMatchFileSnapshot(`mails/${name}.txt`);
  await expect(html).toMatchFileSnapshot(`mails/${name}.html`);
});
