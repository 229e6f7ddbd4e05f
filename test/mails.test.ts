import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import type { Answers } from '../src/model/answers.ts';
import type { FormName } from '../src/model/form-field.ts';
import { createSubmissionMail } from '../src/server/delivery/letter/submission-mail.ts';
import { writeMail } from '../src/server/delivery/mail.ts';
import { createMorningMail } from '../src/server/delivery/reminders/morning-mail.ts';
import { createUrgentMail } from '../src/server/delivery/reminders/urgent-mail.ts';
import { weeksBefore } from '../src/server/self-checks/calendar-week.ts';
import type { WeeklyLetterData } from '../src/server/self-checks/weekly-letter-data.ts';
import { createWeeklyMail } from '../src/server/self-checks/weekly-letter-job.ts';
import { notFollowedUp } from '../src/server/store/contract/submission.ts';
import { nzMoment } from '../src/server/time/nz-time.ts';
import { shippedContent } from './support/forms.ts';
import { expectMail } from './support/mail-snapshot.ts';
import { addresses } from './support/stored-submissions.ts';
import { outlinesOf, receivedAt, type StoredChanges, stored } from './support/submission-mail.ts';

const refusal = "Please don't contact me, I will contact you";

const mails: Record<string, { answers: Answers; form?: FormName; urgent?: true; language?: string }> = {
  'do-not-contact': { answers: { SafeContact: ['Phone call', refusal] } },
  'email-safe': { answers: {} },
  'call-only': { answers: { SafeContact: ['Phone call', 'Text message'] } },
  'text-only': { answers: { SafeContact: ['Text message'] } },
  message: { form: 'contact', answers: {} },
  'safe-times': {
    answers: {
      SafeContact: ['Phone call', 'Text message'],
      CallTimes: ['Mornings', 'School days, 9 am to 3 pm'],
      IfSomeoneAnswers: ['Do not leave a message'],
      OtherTimes: 'Tuesdays, when he is at work',
    },
  },
  'safe-times-in-own-words': {
    answers: { SafeContact: ['Phone call', 'Email'], OtherTimes: 'Tuesday to Friday, 9 to 3' },
  },
  'leave-no-message': {
    answers: { SafeContact: ['Phone call'], IfSomeoneAnswers: ['Do not leave a message'] },
  },
  'nothing-to-reach-them-by': {
    answers: { SafeContact: ['Phone call', 'Text message'], Phone: 'banana', Subject: '', Message: '' },
  },
  'urgent-for-someone-else': {
    answers: {
      SafeContact: ['Phone call', 'Email'],
      SupportNeeded: ['Feeling unsafe at home'],
      ForSomeoneElse: true,
    },
    urgent: true,
  },
  'written-on-a-page-in-arabic': {
    answers: {
      FirstName: 'ليلى',
      SafeContact: ['Phone call', 'Email'],
      Phone: 'بعد الساعة 5',
      Subject: 'Housing سكن',
      Message: 'نحتاج إلى مكان دافئ (لي ولطفلين).\nWINZ قالوا لنا أن نسألكم.',
    },
    language: 'ar',
  },
};

test.each(Object.entries(mails))(
  '%s reads as it should',
  async (name, { answers, form = 'help', urgent = false, language = null }) => {
    const mail = createSubmissionMail(
      stored(form, answers, { language, delivery: { urgent } }),
      shippedContent.site,
      addresses,
      receivedAt,
    );
    const { headers } = await PostalMime.parse((await writeMail(mail)).raw);
    // Beside the subject, all by which a mailbox knows a mail that is to be read first.
    const priority = headers
      .filter(({ key }) => ['x-priority', 'priority', 'importance'].includes(key))
      .map(({ originalKey, value }) => `${originalKey}: ${value}\n`);
    await expectMail(name, mail, priority.join(''));
  },
);

const staffLink = (reference: string) => `https://www.kowhai.example/staff/${reference}/${'0'.repeat(32)}`;
/** Delivered when it was received. */
function waiting(reference: string, day: string, answers: Answers = {}, changes: StoredChanges = {}) {
  const receivedAt = nzMoment(day, '09:00');
  const delivery = { deliveredAt: receivedAt, ...changes.delivery };
  return stored(changes.form ?? 'help', answers, { reference, receivedAt, ...changes, delivery });
}
const taken = { ...notFollowedUp, takenBy: 'AB', takenAt: nzMoment('2026-11-13', '16:00') };
const urgent = waiting('QT4R-8WMC', '2026-11-15', {}, { delivery: { urgent: true } });
const reminded = { addresses, staffLink };
const morning = {
  site: shippedContent.site,
  rules: { at: '08:30', remindAfter: { help: 1, contact: 3 }, retentionDays: 30, unseenRetentionDays: 90 },
  ...{
    due: nzMoment('2026-11-17', '08:30'),
    before: nzMoment('2026-11-16', '08:30'),
    now: nzMoment('2026-11-17', '08:30'),
  },
};
const waitingOnes = outlinesOf([
  urgent,
  waiting('HK7W-3RQX', '2026-08-20'),
  waiting('CD2F-9KTN', '2026-11-10', { SafeContact: [refusal] }),
  waiting('FM6P-4XHJ', '2026-11-10', {}, { answers: { sealed: 'x' } }),
  waiting('NR3D-7YGV', '2026-11-11', {}, { followUp: taken }),
  waiting('WJ5T-2BQL', '2026-11-11', {}, { form: 'contact' }),
]);
const toTeam = { to: addresses.to.help, readers: 'team' as const };
const urgentMail = (before: number, day: string, time: string) =>
  createUrgentMail([{ submission: urgent, before }], 1, toTeam, {
    ...{ ...reminded, at: '08:30', site: () => shippedContent.site, now: () => nzMoment(day, time) },
  });
const reminders = {
  'reminder-in-the-morning': (
    await createMorningMail(waitingOnes.outlines, { name: 'reminder', to: addresses.to.help }, morning, {
      ...reminded,
      store: waitingOnes.store,
    })
  )?.mail,
  'reminder-of-an-urgent-request': urgentMail(2, '2026-11-15', '14:00'),
  'reminder-of-an-urgent-request-after-a-day': urgentMail(11, '2026-11-16', '08:00'),
};

test.each(Object.entries(reminders))('%s reads as it should', (name, mail) =>
  expectMail(name, mail ?? expect.unreachable('there is a mail')),
);

const monday = new Date('2026-11-15T19:00:00Z');
const waitingTooLong =
  'an answer is later than promised. Waiting: 3 requests, the oldest since Sunday 15 November';
const counts: [requests: number, messages: number][] = [
  [7, 4],
  [11, 6],
  [9, 0],
  [16, 5],
  [12, 8],
  [0, 3],
  [11, 12],
  [14, 9],
];
const allWell: WeeklyLetterData = {
  weeks: weeksBefore(monday, counts.length).map((week, index) => {
    const [requests = 0, messages = 0] = counts[index] ?? [];
    return { ...week, counts: { help: requests, contact: messages } };
  }),
  slowestSeconds: 40,
  undelivered: 0,
  open: [],
  languages: [],
  health: { problems: [], warnings: [], forStaff: [] },
  space: { free: 97e9, size: 100e9 },
  contentDate: new Date('2026-11-03T01:00:00Z'),
  certificate: { until: new Date('2027-02-03T12:00:00Z'), from: null },
  canaryAt: new Date('2026-11-15T03:00:12Z'),
  at: monday,
};
const letters: Record<string, Partial<WeeklyLetterData>> = {
  'weekly-all-well': {},
  'weekly-needs-a-hand': {
    undelivered: 2,
    slowestSeconds: 5_400,
    certificate: { until: new Date('2026-11-20T12:00:00Z'), from: null },
    health: {
      problems: [
        'the oldest request has waited over an hour for a mail server',
        '1 request was refused by the mail server and is parked',
      ],
      warnings: ['the disk is almost full: 120 MB are left of the 200 that there should be'],
      forStaff: [],
    },
  },
  'weekly-waiting': {
    open: [{ form: 'help', open: 3, urgentUntaken: 0, oldestReceivedAt: receivedAt }],
    health: {
      problems: [],
      warnings: [waitingTooLong],
      forStaff: [waitingTooLong],
    },
  },
  'weekly-small-things': {
    open: null,
    languages: [
      { tag: 'sm', count: 2 },
      { tag: 'en-NZ-x-easy', count: 1 },
    ],
    health: {
      problems: [],
      warnings: ['1 mail that nobody has read lies in the folder of mails'],
      forStaff: [],
    },
    certificate: null,
    canaryAt: null,
  },
};

test.each(Object.entries(letters))('%s reads as it should', async (name, changes) => {
  const mail = createWeeklyMail({ ...allWell, ...changes }, monday, shippedContent.site, {
    from: addresses.from,
    mailbox: { forms: ['help', 'contact'], to: addresses.to.help },
    letterLink: () => `https://www.kowhai.example/staff/letter/2026-11-16/${'0'.repeat(32)}`,
  });
  await expectMail(name, mail);
});
