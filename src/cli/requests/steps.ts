import { parseArgs } from 'node:util';
import { maxNameLength, readStaffName } from '../../model/staff-name.ts';
import { describeWhenErased } from '../../server/erasure/retention.ts';
import { isOwnPress } from '../../server/staff/own-press.ts';
import type { FollowUpOutcome, FollowUpStep } from '../../server/store/contract/follow-ups.ts';
import { type Command, UsageError } from '../command.ts';
import { print, remark } from '../terminal.ts';
import { withStore } from '../with-store.ts';
import { readReference } from './filter-options.ts';
import { describeFollowUp } from './follow-up-words.ts';

export const taken = createStepCommand(
  'taken',
  'say that somebody is on a request, or several: no more urgent reminders',
  'Somebody is on it. Urgent reminders end; the one in the morning still names what nobody has answered.',
);
export const answered = createStepCommand(
  'answered',
  'say that a request was answered, or several: no more reminders',
  'The person was answered, or nothing is left to do. All reminders end.',
);

function createStepCommand(step: FollowUpStep, summary: string, explanation: string): Command {
  const example = `awhina ${step} HK7W-3RQX`;
  return {
    summary,
    usage: `awhina ${step} REFERENCE... --by AB
awhina ${step} REFERENCE... --undo

  --by AB   who, by initials or a first name: at most ${maxNameLength} letters
  --undo    take it back

  ${explanation}
  Several references can follow each other; each gets its own line. Exit code 1 if one of them was not recorded.
  The page behind the link in the mail does the same. A request is erased RETENTION_DAYS after its last step.`,

    async run(args) {
      const options = { by: { type: 'string' }, undo: { type: 'boolean' } } as const;
      const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
      if (positionals.length === 0) throw new UsageError(`Say which one: ${example} --by AB`);
      const references = [...new Set(positionals.map(readReference))];
      if ((values.by === undefined) !== (values.undo ?? false))
        throw new UsageError(`Say who: ${example} --by AB. Or take it back: ${example} --undo`);
      const by = values.by === undefined ? null : readStaffName(values.by);
      if (by === null && !values.undo)
        throw new UsageError(`--by must be initials or a first name of at most ${maxNameLength} letters`);

      return withStore(async (store, settings, isComplete) => {
        const formatMissing = (reference: string) =>
          isComplete
            ? `There is no ${reference}. It may have been erased ${describeWhenErased(settings)}.`
            : `Nothing was recorded: ${reference} is not on this machine. Try again when the database is back.`;
        let code = 0;
        for (const reference of references) {
          const at = new Date();
          const outcome = await (by === null
            ? store.undoStep(reference, step, at)
            : store.recordStep(reference, step, by, at));
          const isDone = outcome !== null && (by === null || isOwnPress(outcome, step, by, at));
          if (isDone)
            print(by === null ? describeUndone(reference, step, outcome) : describeDone(reference, outcome));
          else remark(outcome ? describeLate(reference, outcome) : formatMissing(reference));
          if (!isDone) code = 1;
        }
        return code;
      });
    },
  };
}

const formatState = (reference: string, { followUp }: FollowUpOutcome) =>
  `${reference} is ${describeFollowUp(followUp)}`;

/** What can be undone: where it was answered and cannot be taken, that. */
const describeUndo = (reference: string, { followUp }: FollowUpOutcome) =>
  `awhina ${followUp.answeredAt ? 'answered' : 'taken'} ${reference} --undo`;

const describeDone = (reference: string, outcome: FollowUpOutcome) =>
  `${formatState(reference, outcome)}. To take that back: ${describeUndo(reference, outcome)}`;

const describeLate = (reference: string, outcome: FollowUpOutcome) =>
  `Nothing was changed: ${formatState(reference, outcome)}. If that is wrong: ${describeUndo(reference, outcome)}`;

function describeUndone(
  reference: string,
  step: FollowUpStep,
  { changed, followUp }: FollowUpOutcome,
): string {
  const done = changed
    ? `${reference} is no longer ${step}.`
    : `${reference} was not ${step}: there is nothing to take back.`;
  return `${done} It is ${describeFollowUp(followUp)}.`;
}
