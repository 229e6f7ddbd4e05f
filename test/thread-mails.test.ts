import PostalMime from 'postal-mime';
import { test } from 'vitest';
import { createChangeMail, createWithdrawnNotice } from '../src/server/delivery/letter/change-mail.ts';
import { createLinkMail, createPressMail, type Press } from '../src/server/delivery/letter/thread-mail.ts';
import { writeMail } from '../src/server/delivery/mail.ts';
import type { Change } from '../src/server/store/contract/changes.ts';
import { type FollowUp, notFollowedUp } from '../src/server/store/contract/submission.ts';
import { nzMoment } from '../src/server/time/nz-time.ts';
import { shippedContent } from './support/forms.ts';
import { expectMail } from './support/mail-snapshot.ts';
import { addresses } from './support/stored-submissions.ts';
import { receivedAt, stored } from './support/submission-mail.ts';

/** What comes in the thread of a request’s mail: its link, and what colleagues pressed. */
const pressed = nzMoment('2026-11-16', '10:05');
const byAB = { ...notFollowedUp, takenBy: 'AB', takenAt: pressed };
const urgentOne = stored('help');
urgentOne.delivery.urgent = true;
const threadParts = {
  addresses,
  site: () => shippedContent.site,
  staffLink: (reference: string) => `https://www.kowhai.example/staff/${reference}/${'0'.repeat(32)}`,
};
const press = (step: Press['step'], isUndo: boolean, followUp: FollowUp, invitesReply = true) =>
  createPressMail(urgentOne, { step, isUndo, followUp, at: pressed }, invitesReply, threadParts, pressed);
/** Said about the urgent request, with the state after it. */
const changed = (said: Change['said'], followUp: Partial<FollowUp>, more: Partial<Change> = {}) => {
  const change = { at: pressed, by: 'AB', said, ...more };
  const submission = { ...urgentOne, followUp: { ...notFollowedUp, ...followUp }, changes: [change] };
  return [submission, change] as const;
};
const noContact = { noContactBy: 'AB', noContactAt: pressed };
const withdrawn = { withdrawnBy: 'AB', withdrawnAt: pressed };
const details = [
  { key: 'Phone', value: '021 000 001' },
  { key: 'Note', value: 'Only in the morning.\nAsk for Sample.' },
];
const changeMail = (...said: Parameters<typeof changed>) =>
  createChangeMail(...changed(...said), threadParts, pressed);
const threadMails = {
  'change-no-contact': changeMail('no-contact', noContact),
  'change-no-contact-undone': changeMail('no-contact', {}, { by: null, isUndo: true }),
  'change-withdrawn': changeMail('withdrawn', withdrawn),
  'change-withdrawn-undone': changeMail('withdrawn', {}, { by: null, isUndo: true }),
  'change-unreached': changeMail('unreached', {}),
  'change-of-the-number': changeMail('details', {}, { answers: details }),
  'change-after-no-contact': changeMail('details', noContact, { answers: details }),
  'change-sealed': changeMail('details', {}, { answers: { sealed: 'Sample' } }),
  'change-withdrawn-for-others': createWithdrawnNotice(
    ...changed('withdrawn', withdrawn),
    ['others@trust.example'],
    { ...threadParts, othersLink: threadParts.staffLink, now: () => pressed },
  ),
  'link-of-a-request': createLinkMail(urgentOne, true, threadParts, receivedAt),
  'link-of-a-message': createLinkMail(stored('contact'), true, threadParts, receivedAt),
  'press-on-it': press('taken', false, byAB),
  'press-on-it-undone': press('taken', true, notFollowedUp),
  'press-answered': press('answered', false, { ...byAB, answeredBy: 'CD', answeredAt: pressed }, false),
  'press-answered-undone': press('answered', true, byAB),
};

test.each(Object.entries(threadMails))('%s reads as it should', async (name, mail) => {
  const { headers } = await PostalMime.parse((await writeMail(mail)).raw);
  const thread = headers
    .filter(({ key }) => ['message-id', 'in-reply-to', 'references', 'reply-to', 'importance'].includes(key))
    .map(({ originalKey, value }) => `${originalKey}: ${value}\n`)
    .toSorted();
  await expectMail(name, mail, thread.join(''));
});
