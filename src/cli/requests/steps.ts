import { parseArgs } from 'node:util';
import { maxNameLength, readStaffName } from '../../model/staff-name.ts';
import type { FollowUpOutcome, FollowUpStep } from '../../server/store/contract/follow-ups.ts';
import { type Command, CommandFailed, onlyOne, UsageError } from '../command.ts';
import { print } from '../terminal.ts';
import { withStore } from '../with-store.ts';
import { readReference } from './filter-options.ts';
import { describeFollowUp } from './follow-up-words.ts';

export const taken = createStepCommand(
  'taken',
  'say that somebody is on a request: no more urgent reminders',
  'Somebody is on it. Urgent reminders end; the one in the morning still names what nobody has answered.',
);
export const answered = createStepCommand(
  'answered',
  'say that a request was answered: no more reminders',
  'The person was answered, or nothing is left to do. All reminders end.',
);

function createStepCommand(step: FollowUpStep, summary: string, explanation: string): Command {
  const example = `awhina ${step} HK7W-3RQX`;
  return {
    summary,
    usage: `awhina ${step} REFERENCE --by AB
awhina ${step} REFERENCE --undo

  --by AB   who, by initials or a first name: at most ${maxNameLength} letters
  --undo    take it back

  ${explanation}
  The page behind the link in the mail does the same. It changes nothing about when the request is erased.`,

    async run(args) {
      const options = { by: { type: 'string' }, undo: { type: 'boolean' } } as const;
      const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
      const reference = readReference(onlyOne(positionals, `Say which one: ${example} --by AB`));
      if ((values.by === undefined) !== (values.undo ?? false))
        throw new UsageError(`Say who: ${example} --by AB. Or take it back: ${example} --undo`);
      const by = values.by === undefined ? null : readStaffName(values.by);
      if (by === null && !values.undo)
        throw new UsageError(`--by must be initials or a first name of at most ${maxNameLength} letters`);

      return withStore(async (store, settings, isComplete) => {
        const outcome = await (by === null
          ? store.undoStep(reference, step, new Date())
          : store.recordStep(reference, step, by, new Date()));
        if (outcome)
          return by === null ? tellUndone(reference, step, outcome) : tell(reference, step, by, outcome);
        throw new CommandFailed(
          isComplete
            ? `There is no ${reference}. It may have been erased ${settings.retentionDays} days after it was delivered.`
            : `Nothing was recorded: ${reference} is not on this machine. Try again when the database is back.`,
        );
      });
    },
  };
}

function tell(
  reference: string,
  step: FollowUpStep,
  by: string,
  { changed, followUp }: FollowUpOutcome,
): number {
  const { answeredAt, answeredBy, takenBy } = followUp;
  const isSame = (step === 'answered' ? answeredBy : answeredAt ? null : takenBy) === by;
  const state = `${reference} is ${describeFollowUp(followUp)}`;
  // Somebody else was first, or it was answered and cannot be taken: that is what can be undone.
  const last = answeredAt ? 'answered' : 'taken';
  const undo = `awhina ${last} ${reference} --undo`;
  if (!changed && !isSame)
    throw new CommandFailed(`Nothing was changed: ${state}. If that is wrong: ${undo}`);
  print(`${state}. To take that back: ${undo}`);
  return 0;
}

function tellUndone(reference: string, step: FollowUpStep, { changed, followUp }: FollowUpOutcome): number {
  const done = changed
    ? `${reference} is no longer ${step}.`
    : `${reference} was not ${step}: there is nothing to take back.`;
  print(`${done} It is ${describeFollowUp(followUp)}.`);
  return 0;
}
