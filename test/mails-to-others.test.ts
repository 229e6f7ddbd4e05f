import { test } from 'vitest';
import type { Answers } from '../src/model/answers.ts';
import { formNames } from '../src/model/form-field.ts';
import { createNoticeMail } from '../src/server/delivery/notices/send-notice.ts';
import { writeUnseen } from '../src/server/delivery/reminders/unseen-mail.ts';
import { nzMoment } from '../src/server/time/nz-time.ts';
import { shippedContent } from './support/forms.ts';
import { expectMail } from './support/mail-snapshot.ts';
import { addresses } from './support/stored-submissions.ts';
import { outlinesOf, stored } from './support/submission-mail.ts';

const now = nzMoment('2026-11-17', '08:30');
const receive = (
  reference: string,
  day: string,
  form: 'help' | 'contact' = 'help',
  answers: Answers = {},
  urgent = false,
) => {
  const receivedAt = nzMoment(day, '09:00');
  return stored(form, answers, { reference, receivedAt, delivery: { deliveredAt: receivedAt, urgent } });
};
const named = [
  receive('QT4R-8WMC', '2026-11-12', 'help', {}, true),
  receive('HK7W-3RQX', '2026-08-31'),
  receive('CD2F-9KTN', '2026-11-10', 'help', {
    SafeContact: ["Please don't contact me, I will contact you"],
  }),
  receive('WJ5T-2BQL', '2026-11-09', 'contact'),
];

test('the mail to MAIL_TO_ESCALATE about what nobody has seen reads as it should', async () => {
  const summaries = formNames.map((form) => {
    const same = named.filter((one) => one.form === form);
    const oldestReceivedAt = new Date(Math.min(...same.map(({ receivedAt }) => receivedAt.getTime())));
    const urgentUntaken = same.filter(({ delivery }) => delivery.urgent).length;
    return { form, open: same.length, urgentUntaken, oldestReceivedAt };
  });
  const mailbox = { forms: formNames, to: ['help@trust.example'] };
  const rules = { remindAfter: { help: 1, contact: 3 }, closed: [], unseenRetentionDays: 90 };
  const staffLink = (reference: string) => `https://www.kowhai.example/staff/${reference}/${'0'.repeat(32)}`;
  const { site } = shippedContent;
  const unseen = outlinesOf(named).outlines;
  const { sentence, ...notice } = writeUnseen(
    { named, bare: [], unseen, summaries, mailbox, rules, now, inFolder: new Set() },
    site,
    staffLink,
  );
  const mailing = { site: () => site, addresses, now: () => now };
  const mail = createNoticeMail(mailing, { ...notice, to: ['manager@elsewhere.example'] });
  await expectMail('what-nobody-has-seen', mail, `Alert: ${sentence}\n`);
});
