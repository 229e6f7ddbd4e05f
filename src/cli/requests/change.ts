import { parseArgs } from 'node:util';
import type { Entry } from '../../model/answers.ts';
import { findMissing } from '../../model/choice-meanings.ts';
import { capitalise } from '../../model/sentence.ts';
import { maxNameLength, readStaffName } from '../../model/staff-name.ts';
import { describeChange } from '../../server/delivery/letter/change-words.ts';
import { describeWhenErased } from '../../server/erasure/retention.ts';
import { isOwnPress, recordedStep } from '../../server/staff/own-press.ts';
import { type Change, detailKeys, type Wish, withdrawnDays } from '../../server/store/contract/changes.ts';
import type { Store } from '../../server/store/contract/store.ts';
import type { StoredSubmission } from '../../server/store/contract/submission.ts';
import { createSeal } from '../../server/submissions/seal.ts';
import { type Command, CommandFailed, onlyOne, UsageError } from '../command.ts';
import { print, printJson, remark } from '../terminal.ts';
import { withStore } from '../with-store.ts';
import { readReference } from './filter-options.ts';
import { describeFollowUp } from './follow-up-words.ts';
import { requestAsJson } from './request-table.ts';

const example = 'awhina change HK7W-3RQX';
const mostLetters = 2_000;

export const change: Command = {
  summary: 'record what somebody asks for after sending: no contact, withdrawn, another number',
  usage: `awhina change REFERENCE [--no-contact] [--withdrawn] [--phone NUMBER] [--email ADDRESS] [--note TEXT] --by AB
awhina change REFERENCE --no-contact|--withdrawn --undo [--by AB]

  --no-contact      they asked us not to contact them any more. All mails and lists then say DO NOT CONTACT
  --withdrawn       they withdrew it: no more reminders. It is erased after ${withdrawnDays} days; until then you can undo that
  --phone NUMBER    another number
  --email ADDRESS   another email address
  --note TEXT       what else they said: at most ${mostLetters} characters
  --by AB           who writes this down, by initials or a first name: at most ${maxNameLength} letters
  --undo            take --no-contact or --withdrawn back
  --json            for programs

  The team gets a mail, in the thread of the request. The answers stay as they were: numbers and notes are written beside
  them, and are sealed to SEAL_TO if that is set. The page behind the link in the mail has two buttons that do the same as
  the first two. Exit code 1 if it was not recorded, or was before.`,

  async run(args) {
    const flag = { type: 'boolean' } as const;
    const text = { type: 'string' } as const;
    const options = {
      ...{ 'no-contact': flag, withdrawn: flag, undo: flag, json: flag },
      ...{ phone: text, email: text, note: text, by: text },
    };
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const reference = readReference(onlyOne(positionals, `Say which one: ${example} --no-contact --by AB`));
    const wishes: Wish[] = [
      ...(values['no-contact'] ? ['no-contact' as const] : []),
      ...(values.withdrawn ? ['withdrawn' as const] : []),
    ];
    const details = readDetails(values);
    const isUndo = values.undo ?? false;
    if (wishes.length + details.length === 0)
      throw new UsageError(`Say what they asked for: ${example} --no-contact --by AB`);
    if (isUndo && (wishes.length === 0 || details.length > 0))
      throw new UsageError(`--undo takes back --no-contact or --withdrawn, and goes with nothing else`);
    const by = values.by === undefined ? null : readStaffName(values.by);
    if (by === null && (values.by !== undefined || !isUndo))
      throw new UsageError(`--by must be initials or a first name of at most ${maxNameLength} letters`);

    return withStore(async (store, settings, isComplete) => {
      const found = await store.findSubmission(reference);
      if (!found)
        throw new CommandFailed(
          isComplete
            ? `There is no ${reference}. It may have been erased ${describeWhenErased(settings)}.`
            : `Nothing was recorded: ${reference} is not on this machine. Try again when the database is back.`,
        );
      // First, so that nothing is recorded where the details cannot be.
      const answers = details.length > 0 ? await sealDetails(found, details, settings.sealTo) : null;
      const done = await recordWishes(store, reference, { wishes, isUndo, by, at: new Date() });
      if (answers)
        done.push(await recordDetails(store, reference, { said: 'details', by, at: new Date(), answers }));
      const after = await store.findSubmission(reference);
      if (values.json && after) printJson({ ...requestAsJson(after), changes: after.changes ?? [] });
      else for (const { line, isDone } of done) (isDone ? print : remark)(line);
      return done.every(({ isDone }) => isDone) ? 0 : 1;
    });
  },
};

function readDetails(values: { phone?: string; email?: string; note?: string }): Entry[] {
  const { phone, email, note } = values;
  if (phone !== undefined && findMissing('call', phone))
    throw new UsageError('--phone must be a number that somebody can call');
  if (email !== undefined && findMissing('email', email))
    throw new UsageError('--email must be an email address');
  if (note?.trim() === '') throw new UsageError('--note has no words');
  const given = { phone, email, note };
  return (['phone', 'email', 'note'] as const).flatMap((name) => {
    const value = given[name]?.trim();
    if (value === undefined) return [];
    if (value.length > mostLetters)
      throw new UsageError(`--${name} must have at most ${mostLetters} characters`);
    return [{ key: detailKeys[name], value }];
  });
}

/** A request that is sealed gets nothing that anybody can read. */
async function sealDetails(
  { answers, reference }: StoredSubmission,
  details: Entry[],
  sealTo: readonly string[],
): Promise<NonNullable<Change['answers']>> {
  if (sealTo.length > 0) return createSeal(sealTo)(details);
  if (Array.isArray(answers)) return details;
  throw new CommandFailed(
    `Nothing was recorded: ${reference} is sealed, and the setting SEAL_TO is empty, so this could only be stored for everybody to read. Set SEAL_TO again, or leave out --phone, --email and --note.`,
  );
}

interface Done {
  line: string;
  isDone: boolean;
}

async function recordWishes(
  store: Store,
  reference: string,
  { wishes, isUndo, by, at }: { wishes: Wish[]; isUndo: boolean; by: string | null; at: Date },
): Promise<Done[]> {
  const done: Done[] = [];
  for (const wish of wishes) {
    const outcome = await (isUndo
      ? store.undoStep(reference, wish, at, undefined, by)
      : store.recordStep(reference, wish, by ?? '', at));
    if (!outcome) continue;
    const state = `${reference} is ${describeFollowUp(outcome.followUp)}.`;
    const undo = `awhina change ${reference} --${wish} --undo`;
    if (isUndo)
      done.push({
        line: `${outcome.changed ? 'Taken back.' : 'There is nothing to take back.'} ${state}`,
        isDone: true,
      });
    else if (isOwnPress(outcome, wish, by ?? '', at))
      done.push({ line: `${state} To take that back: ${undo}`, isDone: true });
    else if (recordedStep(outcome.followUp, wish))
      done.push({ line: `Nothing was changed: ${state} If that is wrong: ${undo}`, isDone: false });
    else done.push(tooMuch(reference));
  }
  return done;
}

async function recordDetails(
  store: Store,
  reference: string,
  one: Change & { said: 'details' },
): Promise<Done> {
  const outcome = await store.addChange(reference, one);
  if (!outcome?.changed) return tooMuch(reference);
  return { line: `${reference}: ${capitalise(describeChange(one))}`, isDone: true };
}

const tooMuch = (reference: string): Done => ({
  line: `Nothing was recorded: too much is recorded about ${reference} already.`,
  isDone: false,
});
