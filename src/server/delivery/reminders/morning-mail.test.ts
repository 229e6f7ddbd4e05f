import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { addresses } from '../../../../test/support/stored-submissions.ts';
import { outlinesOf, stored } from '../../../../test/support/submission-mail.ts';
import { notFollowedUp, type StoredSubmission } from '../../store/contract/submission.ts';
import { nzMoment } from '../../time/nz-time.ts';
import { lastWorkingTime } from '../../time/working-days.ts';
import { writeMail } from '../mail.ts';
import { createMorningMail } from './morning-mail.ts';

const site = { ...shippedContent.site, closed: [] };
const refusal = "Please don't contact me, I will contact you";
const staffLink = (reference: string) => `https://www.trust.example/staff/${reference}/0123`;
const head = { name: 'reminder-help-2026-11-17', to: addresses.to.help };

/** What staff get on this morning; Tuesday 17 November 2026 where no other is given. */
async function remind(
  open: readonly StoredSubmission[],
  {
    day = '2026-11-17',
    withLink = true,
    retentionDays = 30,
    unseenRetentionDays = 90,
  }: { day?: string; withLink?: boolean; retentionDays?: number; unseenRetentionDays?: number | null } = {},
) {
  const due = nzMoment(day, '08:30');
  const before = lastWorkingTime(new Date(due.getTime() - 1), '08:30', site.closed);
  const rules = { at: '08:30', remindAfter: { help: 1, contact: 3 }, retentionDays, unseenRetentionDays };
  const morning = { site, rules, due, before, now: due };
  const { outlines, store } = outlinesOf(open);
  const mailing = { addresses, store, ...(withLink ? { staffLink } : {}) };
  const written = await createMorningMail(outlines, head, morning, mailing);
  if (!written) return null;
  const { raw } = await writeMail(written.mail);
  const { subject = '', text = '', html = '' } = await PostalMime.parse(raw);
  return { subject, text, html, raw: raw.toString('latin1') };
}

/** Delivered when it was received. */
function waiting(
  received: string,
  changes: Parameters<typeof stored>[1] = {},
  more: Partial<StoredSubmission> = {},
) {
  const receivedAt = nzMoment(...(received.split(' ') as [string, string]));
  return stored('help', changes, { receivedAt, delivery: { deliveredAt: receivedAt }, ...more });
}

test('each is named with its age, its state and its link, and nothing of its words', async () => {
  const word = 'Zuckerwatte';
  const every = Object.fromEntries(
    stored('help').definition.map(({ key, type }) => [
      key,
      type === 'checkbox' ? [word] : type === 'boolean' ? true : word,
    ]),
  );
  const taken = {
    ...notFollowedUp,
    takenBy: 'AB',
    takenAt: nzMoment('2026-11-13', '16:00'),
  };
  const mail = await remind([
    waiting('2026-11-13 07:00', every, { language: 'mi' }),
    waiting('2026-11-12 07:00', every, { reference: 'AAAA-2222', followUp: taken }),
  ]);
  expect(mail?.text).toContain(
    'HK7W-3RQX, Get Help\nWaiting since Friday 13 November, 2 working days. Nobody has taken it.\nSafe times are in the mail.\nI’ll take this / I’ve answered:\nhttps://www.trust.example/staff/HK7W-3RQX/0123',
  );
  expect(mail?.text).toContain(
    'Waiting since Thursday 12 November, 3 working days. Taken by AB on Friday 13 November.',
  );
  expect(mail?.html).toContain('<a href="https://www.trust.example/staff/AAAA-2222/0123"');
  for (const part of Object.values(mail ?? {})) expect(part).not.toContain(word);
  expect(mail?.text).not.toMatch(/\bcall\b|\bring\b|\bphone\b/i);
});

test('a person who must not be contacted, sealed answers and safe times are marked', async () => {
  const says = async (one: StoredSubmission) => (await remind([one]))?.text ?? '';
  const stop = 'DO NOT CONTACT THIS PERSON.';
  const refused = await says(waiting('2026-11-12 07:00', { SafeContact: ['Phone call', refusal] }));
  expect(refused).toContain(`HK7W-3RQX, Get Help\n${stop}\nWaiting`);
  const sealed = await says(waiting('2026-11-12 07:00', {}, { answers: { sealed: 'x' } }));
  expect(sealed).toContain('\nSealed: read it first.');
  const undelivered = stored('help', {}, { receivedAt: nzMoment('2026-11-12', '07:00') });
  expect(await says(undelivered)).toContain('\nNo mail server has accepted its email yet.');
  const plain = await says(waiting('2026-11-12 07:00', { SafeContact: ['Email'] }));
  for (const words of [stop, 'Sealed', 'Safe times', 'not reached']) expect(plain).not.toContain(words);
  const when = {
    key: 'When',
    type: 'text',
    displayName: 'When?',
    description: '',
    required: false,
    means: 'safeTimes',
  } as const;
  const timed = waiting('2026-11-12 07:00', { SafeContact: ['Phone call'] });
  const answers = [...(timed.answers as []), { key: 'When', value: 'Tuesdays' }];
  expect(await says({ ...timed, definition: [...timed.definition, when], answers })).toMatch(
    /\nSafe times are in the mail\.\n(?!.*Tuesdays)/s,
  );
});

test('what is about to be erased is named at least three days before, with its day, also if nobody is late', async () => {
  // Came in on Monday 2 November: erased on Wednesday 2 December. Two days before, the next reminder would be too late.
  const one = waiting('2026-11-02 10:00', {}, { form: 'contact' });
  const saying = async (day: string, more: Partial<StoredSubmission> = {}) =>
    (await remind([{ ...one, ...more }], { day, unseenRetentionDays: 30, retentionDays: 14 }))?.text ?? '';
  expect(await saying('2026-11-26')).not.toContain('be erased');
  expect(await saying('2026-11-27')).toContain('Will be erased on Wednesday 2 December.');
  expect(await saying('2026-11-27')).toMatch(/^=+\nAll of these will be erased soon\.\n/);
  expect(await saying('2026-12-02')).toContain('Will be erased on Wednesday 2 December.');
  // Also where a colleague has taken it since yesterday.
  const takenAt = nzMoment('2026-11-26', '12:00');
  const seen = { ...notFollowedUp, takenBy: 'AB', takenAt };
  const notSaid = { ...seen, seenAt: null };
  expect(await saying('2026-11-27', { followUp: notSaid })).toContain('Taken by AB on Thursday 26 November.');
  // From then on it counts from when they took it.
  const followUp = { ...seen, seenAt: takenAt };
  expect(await saying('2026-11-27', { followUp })).toBe('');
  expect(await saying('2026-12-07', { followUp })).toContain('Will be erased on Thursday 10 December.');
  const today = waiting('2026-11-17 07:00');
  expect(await remind([today])).toBeNull();
  const old = { retentionDays: 3, unseenRetentionDays: null };
  expect((await remind([today], old))?.text).toContain(
    'Waiting since Tuesday 17 November. Nobody has taken it.\nWill be erased on Friday 20 November.',
  );
});

test('five hundred make one readable mail: forty by name, 180 by reference, and the others by number', async () => {
  const open = Array.from({ length: 500 }, (_, index) => {
    const day = String(1 + (index % 16)).padStart(2, '0');
    return waiting(`2026-11-${day} 08:00`, {}, { reference: `AAAA-${String(2000 + index)}` });
  });
  const mail = await remind(open);
  expect(mail?.text).toContain(
    'And 180 more, by reference alone:\nAAAA-2040: https://www.trust.example/staff/AAAA-2040/0123\n',
  );
  expect(mail?.html).toContain('<a href="https://www.trust.example/staff/AAAA-2040/0123">AAAA-2040</a><br>');
  expect(mail?.subject).toBe('[Website] 500 requests wait for an answer');
  expect(mail?.text.match(/^AAAA-\d{4}, /gm)).toHaveLength(40);
  expect(mail?.text).toContain(
    'And 280 more, for which there is no room. The next mails name them in turn. ./awhina list --open --limit 500 shows',
  );
  const [, ...counts] =
    /in working days: (\d+) wait a day or less, (\d+) wait 2 to 5 days, (\d+) wait 6 to 20 days\./.exec(
      mail?.text ?? '',
    ) ?? [];
  expect(counts.map(Number).reduce((sum, count) => sum + count, 0)).toBe(500);
  expect(mail?.raw.length).toBeLessThan(90_000);
  // Behind them all, and erased tomorrow.
  const erased = waiting('2026-08-20 08:00', {}, { reference: 'ZZZZ-2222' });
  expect((await remind([...open, erased]))?.text).toContain('ZZZZ-2222, Get Help');
  const soon = Array.from({ length: 300 }, (_, index) => ({ ...erased, reference: `ZZZZ-${2000 + index}` }));
  const { text } = (await remind([...open, ...soon])) ?? {};
  expect(text).toContain('300 of these will be erased soon.\n');
  expect(text).toContain('There is no room for 80 of them.\n');
  expect(text).toContain('\nZZZZ-2219, erased on Wednesday 18 November: https://');
});

test('the mail says how it ends: by the button, or by the command where there is no link', async () => {
  const open = [waiting('2026-11-12 07:00')];
  expect((await remind(open))?.text).toContain('open its link and press “I’ve answered”.');
  const { text = '', html = '' } = (await remind(open, { withLink: false })) ?? {};
  expect(text).toContain('./awhina answered REFERENCE --by YOUR-INITIALS');
  for (const part of [text, html]) expect(part).not.toMatch(/press|href/);
});
