import { readFileSync } from 'node:fs';
import type { StoredSubmission } from '../../server/store/contract/submission.ts';
import { createUnseal } from '../../server/submissions/seal.ts';
import { describeBadIdentity } from '../../server/submissions/unopened.ts';
import { CommandFailed } from '../command.ts';

/** Opens sealed answers with the private key in a file; passes open ones on as they are. */
export type OpenAnswers = (submission: StoredSubmission) => Promise<StoredSubmission>;

export function createOpenAnswers(file: string | undefined): OpenAnswers {
  if (file === undefined) return async (submission) => submission;
  const unseal = readIdentity(file);
  return async (submission) => {
    const { answers, reference } = submission;
    if (Array.isArray(answers)) return submission;
    try {
      return { ...submission, answers: await unseal(answers) };
    } catch (cause) {
      throw new CommandFailed(
        `The key in ${file} does not open ${reference}. It was sealed to another key.`,
        {
          cause,
        },
      );
    }
  };
}

function readIdentity(file: string) {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
    return createUnseal(text);
  } catch (cause) {
    throw new CommandFailed(`${file} could not be read as a private key. ${describeBadIdentity(text)}`, {
      cause,
    });
  }
}
