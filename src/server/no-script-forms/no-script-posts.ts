import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Entry } from '../../model/answers.ts';
import type { Doubt } from '../../model/bot-verdict.ts';
import type { FormValues } from '../../model/field-types.ts';
import type { FormName } from '../../model/form-field.ts';
import { noScriptFields } from '../../model/no-script-fields.ts';
import { type NoScriptPost, resendWindowMs } from '../submissions/credential.ts';

const hourMs = 60 * 60_000;
/** The page is more than a day old. The signed time may be an hour before the page was sent. */
const oldMs = 25 * hourMs;
/** The clocks of two servers may differ by this much. */
const aheadMs = 60_000;

/** Judges a form that the browser posts without a script, by when the server sent it and by a field that only bots fill in. */
export function createNoScriptPosts(secret: string, now: () => Date) {
  const keyFrom = (from: string) => createHmac('sha256', from).update('plain form').digest();
  let key = keyFrom(secret);
  const keys = [key];

  const sign = (seconds: string, withKey: Buffer) =>
    createHmac('sha256', withKey).update(`time ${seconds}`).digest('base64url').slice(0, 22);

  /** Milliseconds since 1970, or null where the signature is not ours. */
  function readTime(text: string): number | null {
    const [, seconds = '', signature = ''] = /^(\d{1,12})-([\w-]{22})$/.exec(text) ?? [];
    const given = Buffer.from(signature);
    const isOurs = keys.some((one) => {
      const expected = Buffer.from(sign(seconds, one));
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
    return isOurs ? Number(seconds) * 1_000 : null;
  }

  function findDoubts(values: FormValues, sentOut: number | null): Doubt[] {
    const doubts: Doubt[] = [];
    if (values.get(noScriptFields.trap)) doubts.push('trap');
    const age = sentOut === null ? null : now().getTime() - sentOut;
    if (age === null || age < -aheadMs) doubts.push('undated');
    else if (age > oldMs) doubts.push('old');
    return doubts;
  }

  return {
    /**
     * The signed time at which the server sends a form to the browser: the hour, in seconds since 1970, so that all visitors
     * within one hour get the same page.
     */
    signTime(at: Date): string {
      const seconds = String(Math.floor(at.getTime() / hourMs) * (hourMs / 1_000));
      return `${seconds}-${sign(seconds, key)}`;
    },
    /** The identity of a form that was posted without a token, and what speaks against it. */
    examine(form: FormName, entries: readonly Entry[], values: FormValues): NoScriptPost {
      const hour = Math.floor(now().getTime() / resendWindowMs);
      // Tells apart two people with the same few words. A resend comes from the same page, perhaps from another address.
      const sentOut = readTime(String(values.get(noScriptFields.sentOut) ?? ''));
      // Keyed, so that a reader of the database cannot test guesses at somebody's answers.
      const identify = (inHour: number) =>
        createHmac('sha256', key)
          .update(JSON.stringify([form, inHour, sentOut, entries]))
          .digest('hex');
      return { identities: [identify(hour), identify(hour - 1)], doubts: findDoubts(values, sentOut) };
    },
    /** Signs with this secret, which several servers share. Times that were signed with an earlier one stay valid. */
    setSecret(shared: string): void {
      key = keyFrom(shared);
      if (!keys.some((one) => one.equals(key))) keys.push(key);
    },
  };
}

export type NoScriptPosts = ReturnType<typeof createNoScriptPosts>;
