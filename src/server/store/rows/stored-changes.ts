import type { Entry } from '../../../model/answers.ts';
import { type Change, type Wish, wishes } from '../contract/changes.ts';
import { readEntries } from './stored-text.ts';

/** What was said after sending, a line of JSON each. */

/** As one line of the column. */
export const toLine = ({ at, ...change }: Change): string =>
  `${JSON.stringify({ at: at.toISOString(), ...change })}\n`;

/** A damaged line is left out. */
export function readChanges(text: unknown): Change[] {
  return String(text ?? '')
    .split('\n')
    .flatMap((line) => readChange(line) ?? []);
}

/** What was said in either of two databases, the oldest first: each line begins with its time. */
export function joinLines(...texts: unknown[]): string {
  const lines = new Set(texts.flatMap((text) => String(text ?? '').split('\n')));
  lines.delete('');
  return [...lines]
    .sort()
    .map((line) => `${line}\n`)
    .join('');
}

/** Who asked for it last, and when; null where that was undone, or nobody did. */
export function findWish(changes: readonly Change[], wish: Wish): { by: string | null; at: Date } | null {
  const last = changes.findLast((one) => one.said === wish);
  return last && !last.isUndo ? last : null;
}

const said: readonly unknown[] = [...wishes, 'unreached', 'details'] satisfies Change['said'][];

function readChange(line: string): Change | null {
  let found: Record<string, unknown>;
  try {
    found = Object(JSON.parse(line));
  } catch {
    return null;
  }
  const at = new Date(String(found.at));
  if (Number.isNaN(at.getTime()) || !said.includes(found.said)) return null;
  const answers = readDetails(found.answers);
  return {
    ...{ at, by: typeof found.by === 'string' ? found.by : null, said: found.said as Change['said'] },
    ...(found.isUndo === true ? { isUndo: true } : {}),
    ...(answers ? { answers } : {}),
  };
}

function readDetails(value: unknown): Entry[] | { sealed: string } | null {
  const sealed = Object(value).sealed;
  return typeof sealed === 'string' ? { sealed } : readEntries(JSON.stringify(value ?? null));
}
