import PostalMime from 'postal-mime';
import { type Answers, toEntries } from '../../src/model/answers.ts';
import { isDoubtful, isTrapped } from '../../src/model/bot-verdict.ts';
import type { ChoiceMeaning, Definition, FormName } from '../../src/model/form-field.ts';
import { createSubmissionMail } from '../../src/server/delivery/letter/submission-mail.ts';
import { writeMail } from '../../src/server/delivery/mail.ts';
import type { OpenOutline } from '../../src/server/store/contract/follow-ups.ts';
import { notFollowedUp, type StoredSubmission } from '../../src/server/store/contract/submission.ts';
import { shippedContent } from './forms.ts';
import { addresses, answered } from './stored-submissions.ts';

export const receivedAt = new Date('2026-11-15T02:10:49Z');

export type StoredChanges = Partial<Omit<StoredSubmission, 'delivery'>> & {
  delivery?: Partial<StoredSubmission['delivery']>;
};

export function stored(
  form: FormName,
  answers: Answers = {},
  { delivery, ...changes }: StoredChanges = {},
): StoredSubmission {
  const { definition } = shippedContent.forms[form];
  return {
    id: 1,
    reference: 'HK7W-3RQX',
    form,
    definition,
    answers: toEntries(definition, { ...answered[form], ...answers }),
    verdict: { kind: 'clean' },
    receivedAt,
    language: null,
    delivery: {
      urgent: false,
      attempts: 1,
      nextAttemptAt: receivedAt,
      deliveredAt: null,
      parkedAt: null,
      lastError: null,
      ...delivery,
    },
    followUp: notFollowedUp,
    ...changes,
  };
}

/** The shipped form with another question about safe ways. */
export const withSafeContact = (changes: { choices: string[]; meanings?: ChoiceMeaning[] }): Definition =>
  shippedContent.forms.help.definition.map((field) => {
    if (field.key !== 'SafeContact' || field.type !== 'checkbox') return field;
    const { meanings: _, ...rest } = field;
    return { ...rest, ...changes };
  });

export async function mailOf(submission: StoredSubmission) {
  const { raw, envelope } = await writeMail(
    createSubmissionMail(submission, shippedContent.site, addresses, receivedAt),
  );
  return { mail: await PostalMime.parse(raw), raw: raw.toString('latin1'), envelope };
}
export const header = (mail: Awaited<ReturnType<typeof mailOf>>['mail'], key: string) =>
  mail.headers.find((one) => one.key === key)?.value;

/** What the reminder in the morning reads of them. */
export const outlinesOf = (open: readonly StoredSubmission[]) => ({
  outlines: open.map(
    ({ reference, form, receivedAt, verdict, delivery, followUp }): OpenOutline => ({
      ...{ reference, form, receivedAt, urgent: delivery.urgent, doubtful: isDoubtful(verdict) },
      ...{
        trapped: isTrapped(verdict),
        deliveredAt: delivery.deliveredAt,
        takenAt: followUp.takenAt,
        seenAt: followUp.seenAt,
        namedAt: null,
      },
    }),
  ),
  store: {
    findSubmission: async (reference: string) => open.find((one) => one.reference === reference) ?? null,
  },
});
