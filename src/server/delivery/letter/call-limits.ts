import type { Way } from '../../../model/choice-meanings.ts';
import { capitalise } from '../../../model/sentence.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import type { Banner, Line } from './letter.ts';
import { onOneLine, quote } from './printable.ts';
import { findSafeTimes } from './safe-times.ts';

/**
 * When, and how, it is safe to call or text; null where nothing limits it. The shout belongs above every number and every
 * sentence that asks for a call: nobody shall dial before they have read it.
 */
export function limitCalls(
  ways: readonly Way[],
  submission: StoredSubmission,
): Pick<Banner, 'shout' | 'lines'> | null {
  if (ways.length === 0) return null;
  const { times, discreet: chosen, ownWords } = findSafeTimes(submission);
  const discreet = describeDiscretion(ways, chosen.length > 0);
  const own: Line[] = ownWords.map((contactDetail) => ({
    contactDetail,
    lang: submission.language ?? undefined,
  }));
  // In their words too: of two such choices they may have made one.
  const theirs = discreet.length > 0 ? [`They chose ${quote(chosen)}.`] : [];
  const limits: Line[] = discreet.map((limit) => ({ limit }));
  if (times.length > 0) {
    const quoted = own.length > 0 ? ['When it is safe, in their own words:', ...own] : [];
    return {
      shout: `${formatWays(ways)} only at these times: ${formatTimes(times)}.`,
      lines: [...limits, ...theirs, ...quoted],
    };
  }
  if (own.length > 0)
    return {
      shout: `${formatWays(ways)} only when they say it is safe:`,
      lines: [...own, ...limits, ...theirs],
    };
  const [shout] = discreet;
  return shout ? { shout, lines: [...limits.slice(1), ...theirs] } : null;
}

/** What not to say where no message may be left. */
export const describeDiscretion = (ways: readonly Way[], isDiscreet: boolean): string[] =>
  isDiscreet ? [...new Set(ways)].flatMap((way) => discretion[way] ?? []) : [];

const discretion: Partial<Record<Way, string>> = {
  call: 'LEAVE NO MESSAGE. Say nothing about us to anybody else.',
  text: 'In a text, name neither us nor why.',
};

const formatTimes = (times: readonly string[]) => joinWithOr(times.map(onOneLine));

const verbs: Record<Way, string> = { call: 'call', text: 'text', email: 'email', post: 'write by post to' };

/** 'Call, text or email'. */
export const formatWays = (ways: readonly Way[]): string =>
  capitalise(joinWithOr([...new Set(ways.map((way) => verbs[way]))]));

const joinWithOr = (parts: readonly string[]) =>
  [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((part) => part !== '').join(' or ');
