import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Entry } from '../../model/answers.ts';
import type { Doubt } from '../../model/bot-verdict.ts';
import type { FormValues } from '../../model/field-types.ts';
import type { FormName } from '../../model/form-field.ts';
import { noScriptFields } from '../../model/no-script-fields.ts';
import { type NoScriptPost, resendWindowMs } from '../submissions/submit.ts';

/** Nobody fills in a form within a second. Two, because the signed time has whole seconds. */
const quickMs = 2_000;
const oldMs = 24 * 60 * 60_000;
/** The clocks of two servers may differ by this much. */
const aheadMs = 60_000;

export interface NoScriptPosts {
  /** When a form was sent out, in our hand. Whole seconds, so that all who ask within one get the same page. */
  signTime(at: Date): string;
  /** What is known of a form that came back without a token. */
  examine(form: FormName, entries: readonly Entry[], values: FormValues): NoScriptPost;
  /** From now on with this secret, which several servers share. What was signed before is still known. */
  setSecret(secret: string): void;
}

/** What can be told of a form that the browser posts by itself, without asking a person anything. */
export function createNoScriptPosts(secret: string, now: () => Date): NoScriptPosts {
  const keyFrom = (from: string) => createHmac('sha256', from).update('plain form').digest();
  let key = keyFrom(secret);
  const known = [key];

  const sign = (seconds: string, by: Buffer) =>
    createHmac('sha256', by).update(`time ${seconds}`).digest('base64url').slice(0, 22);

  /** In milliseconds, or null where we did not write it. */
  function readTime(text: string): number | null {
    const [, seconds = '', signature = ''] = /^(\d{1,12})-([\w-]{22})$/.exec(text) ?? [];
    const given = Buffer.from(signature);
    const isOurs = known.some((one) => {
      const right = Buffer.from(sign(seconds, one));
      return right.length === given.length && timingSafeEqual(right, given);
    });
    return isOurs ? Number(seconds) * 1_000 : null;
  }

  function findDoubts(values: FormValues): Doubt[] {
    const doubts: Doubt[] = [];
    if (values.get(noScriptFields.trap)) doubts.push('trap');
    const sentOut = readTime(String(values.get(noScriptFields.sentOut) ?? ''));
    const age = sentOut === null ? null : now().getTime() - sentOut;
    if (age === null || age < -aheadMs) doubts.push('undated');
    else if (age < quickMs) doubts.push('quick');
    else if (age > oldMs) doubts.push('old');
    return doubts;
  }

  return {
    signTime(at) {
      const seconds = String(Math.floor(at.getTime() / 1_000));
      return `${seconds}-${sign(seconds, key)}`;
    },
    examine(form, entries, values) {
      const hour = Math.floor(now().getTime() / resendWindowMs);
      // Keyed, so that whoever reads the database cannot test guesses at what somebody answered.
      const identify = (during: number) =>
        createHmac('sha256', key)
          .update(JSON.stringify([form, during, entries]))
          .digest('hex');
      return { identities: [identify(hour), identify(hour - 1)], doubts: findDoubts(values) };
    },
    setSecret(shared) {
      key = keyFrom(shared);
      if (!known.some((one) => one.equals(key))) known.push(key);
    },
  };
}
