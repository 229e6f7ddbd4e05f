import { requestState, type StoredSubmission } from '../../server/store/contract/submission.ts';

/** A submission for programs: questions and answers as they are, times in UTC. */
export function exportedSubmission({
  reference,
  form,
  receivedAt,
  definition,
  answers,
  damaged,
  verdict,
  language,
  delivery,
  followUp,
  changes = [],
}: StoredSubmission) {
  return {
    reference,
    form,
    receivedAt,
    status: requestState({ delivery, followUp }),
    deliveredAt: delivery.deliveredAt,
    ...followUp,
    changes,
    botCheck: verdict,
    language,
    ...(Array.isArray(answers)
      ? {
          answers: definition.map(({ key, displayName }) => ({
            key,
            question: displayName,
            value: answers.find((entry) => entry.key === key)?.value ?? null,
          })),
        }
      : { sealed: answers.sealed }),
    ...(damaged === undefined ? {} : { damaged }),
  };
}
