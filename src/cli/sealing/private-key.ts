import type { Change } from '../../server/store/contract/changes.ts';
import type { StoredSubmission } from '../../server/store/contract/submission.ts';
import { createOpen } from '../../server/submissions/seal.ts';
import { describeBadIdentity } from '../../server/submissions/seal-errors.ts';
import { CommandFailed } from '../command.ts';
import { readInput } from '../command-files.ts';

/** Opens sealed answers with the private key in a file; answers that are not sealed stay as they are. */
export type OpenAnswers = (submission: StoredSubmission) => Promise<StoredSubmission>;

export function createOpenAnswers(file: string | undefined): OpenAnswers {
  if (file === undefined) return async (submission) => submission;
  const openSealed = readIdentity(file, createOpen);
  async function openChange(change: Change): Promise<Change> {
    if (!change.answers || Array.isArray(change.answers)) return change;
    // One that was sealed to another key stays so, and must not keep the answers shut.
    const opened = await openSealed(change.answers.sealed).catch(() => null);
    return opened ? { ...change, answers: opened.answers } : change;
  }
  return async (submission) => {
    const { answers, reference, changes = [] } = submission;
    try {
      const known = { ...submission, changes: await Promise.all(changes.map(openChange)) };
      if (Array.isArray(answers)) return known;
      const { answers: opened, about } = await openSealed(answers.sealed);
      return { ...known, answers: opened, language: about?.language ?? null };
    } catch (cause) {
      throw new CommandFailed(
        `The key in ${file} does not open ${reference}. It was sealed to another key.`,
        { cause },
      );
    }
  };
}

/** @param create makes something of the text of the file, and throws where the text is no private key. */
export function readIdentity<T>(file: string, create: (text: string) => T): T {
  const text = readInput(file).toString();
  try {
    return create(text);
  } catch (cause) {
    throw new CommandFailed(`${file} could not be read as a private key. ${describeBadIdentity(text)}`, {
      cause,
    });
  }
}
