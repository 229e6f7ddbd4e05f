import { expect, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { addresses } from '../../../../test/support/stored-submissions.ts';
import { outlinesOf, stored } from '../../../../test/support/submission-mail.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { nzMoment } from '../../time/nz-time.ts';
import type { Mail } from '../mail.ts';
import { createMorningMail } from './morning-mail.ts';
import { createStaffProblems } from './unseen.ts';
import { writeUnseen } from './unseen-mail.ts';
import { createUrgentMail } from './urgent-mail.ts';

/** Of a request's mail reminders say only what is known: nobody knows whether a mailbox has it. */

const day = '2026-11-17';
const now = nzMoment(day, '08:30');
const site = { ...shippedContent.site, closed: [] };

/** As many as no list names whole: one after the other waiting, lying in the folder, and accepted. */
const received = nzMoment('2026-11-12', '08:00');
const all = Array.from({ length: 60 }, (_, index) => {
  const delivery = { urgent: true, deliveredAt: index % 3 === 0 ? null : received };
  return stored('help', {}, { reference: `AAAA-${2000 + index}`, receivedAt: received, delivery });
});
const inFolder = new Set(all.flatMap(({ reference }, index) => (index % 3 === 1 ? reference : [])));

async function remindInTheMorning(
  open: readonly StoredSubmission[],
  unseenRetentionDays = 90,
): Promise<Mail> {
  const rules = { at: '08:30', remindAfter: { help: 1, contact: 3 }, retentionDays: 30, unseenRetentionDays };
  const morning = { site, rules, due: now, before: nzMoment('2026-11-16', '08:30'), now };
  const { outlines, store } = outlinesOf(open);
  const mailing = { addresses, store, findInFolder: async () => inFolder };
  const head = { name: 'reminder-help', to: addresses.to.help };
  const written = await createMorningMail(outlines, head, morning, mailing);
  if (!written) throw new Error('There is nothing to remind of');
  return written.mail;
}

function remindOfUrgent(): Mail {
  const reminders = all.map((submission) => ({ submission, rank: 1, before: 0, leasedUntil: now }));
  const parts = { site: () => site, addresses, now: () => now, at: '08:30', inFolder };
  const team = { to: addresses.to.help, readers: 'team' } as const;
  return createUrgentMail(reminders, reminders.length, team, parts);
}

test.each([
  ['in the morning', () => remindInTheMorning(all)],
  ['of urgent requests', async () => remindOfUrgent()],
])(
  'a reminder %s says of each, also of bare references, that its mail is in no mailbox',
  async (_what, write) => {
    const { text } = await write();
    const [named = '', bare = ''] = text.split(
      'by reference alone (* no mail server has accepted its email yet):\n',
    );
    expect(named.match(/No mail server has accepted its email yet/g)).toHaveLength(14);
    expect(named.match(/Its email is in no mailbox: it is a file/g)).toHaveLength(13);
    expect(bare).toMatch(/^AAAA-2042\*, URGENT\nAAAA-2043\*, URGENT\nAAAA-2044, URGENT$/m);
    expect(text).toMatch(/[Ss]earch your (team’s )?mailbox, and its spam folder, for /);
    expect(text).not.toMatch(/(is|are) in your (team’s )?mailbox/);
  },
);

test('the mail in the morning says what REMINDERS=off does besides', async () => {
  expect((await remindInTheMorning(all)).text).toContain(
    'The setting REMINDERS=off stops it. Then a request is erased 30 days after a mail server accepted it, whether or not anybody has seen it.',
  );
});

test('no day in the past is named for erasing, as after an upgrade or while the machine was off', async () => {
  const [old] = all.slice(2);
  if (!old) throw new Error('There is none');
  const receivedAt = nzMoment('2026-10-01', '08:00');
  const { text } = await remindInTheMorning([{ ...old, receivedAt }], 30);
  expect(text).toContain('\nMay be erased any day.\n');
  const summaries = [{ form: 'help' as const, open: 1, urgentUntaken: 1, oldestReceivedAt: receivedAt }];
  const rules = { remindAfter: { help: 1, contact: 3 }, closed: [], unseenRetentionDays: 30 };
  const mailbox = { forms: ['help' as const], to: addresses.to.help };
  const named = [{ ...old, receivedAt }];
  const { outlines } = outlinesOf(named);
  const unseen = { named, bare: [], unseen: outlines, summaries, mailbox, rules, now, inFolder };
  const { sentence, below } = writeUnseen(unseen, site, undefined);
  expect(below?.text.join('\n')).toContain('\nMay be erased any day.');
  const { remindAfter, unseenRetentionDays } = rules;
  const [problem] = await createStaffProblems({
    store: { summariseUnseen: async () => summaries },
    content: { current: () => ({ remindAfter, site }) },
    ...{ unseenRetentionDays, now: () => now },
  })();
  for (const said of [sentence, problem])
    expect(said).toMatch(
      /obody has seen 1 request, the oldest since Thursday 1 October\. It may be erased any day$/,
    );
});
