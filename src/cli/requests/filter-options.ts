import { formNames } from '../../model/form-field.ts';
import type { SubmissionFilter } from '../../server/store/contract/submission.ts';
import { dayAfter, startOfNzDay } from '../../server/time/nz-time.ts';
import { UsageError } from '../command.ts';

/** The options that choose among submissions, for all commands. */
export const filterOptions = {
  form: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
} as const;

export const filterUsage = `  --form help|contact   only this form
  --since 2026-11-01    received on this day or later (New Zealand time)
  --until 2026-11-30    received on this day or earlier`;

interface Given {
  form?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export function readFilter({ form, since, until }: Given): SubmissionFilter {
  const known = formNames.find((name) => name === form);
  if (form !== undefined && !known) throw new UsageError(`--form must be one of: ${formNames.join(', ')}`);
  return {
    form: known,
    since: since === undefined ? undefined : readDay('--since', since),
    until: until === undefined ? undefined : readEnd(until),
  };
}

function readDay(option: string, text: string): Date {
  const day = startOfNzDay(text);
  if (!day) throw new UsageError(`${option} must be a day, such as 2026-11-15`);
  return day;
}

/** Undefined after 9999-12-31: there is no later day to compare with. */
function readEnd(text: string): Date | undefined {
  readDay('--until', text);
  return startOfNzDay(dayAfter(text)) ?? undefined;
}

/** Accepts a reference as people write it down: in small letters, without the dash. */
export function readReference(text: string): string {
  const letters = text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  if (letters.length !== 8)
    throw new UsageError(`${text} is not a reference. One looks like this: HK7W-3RQX`);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
