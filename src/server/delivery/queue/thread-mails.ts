import type { Mail } from '../mail.ts';
import type { Mailing, SendOutcome } from '../mail-transport.ts';
import { sendOrShorten } from '../notices/send-or-shorten.ts';
import { backoffMs } from './retry.ts';

/** Mails in memory. Beyond that new ones are dropped. */
const mostWaiting = 1_000;
/** With the waits of `backoffMs` within eight minutes. */
const mostAttempts = 5;
/** How long a mail delays the next one of its kind and reference: as long as the longest wait, four times. */
const rememberedMs = 60 * 60_000;

export interface ThreadMail {
  kind: 'link' | 'press';
  reference: string;
  compose: (date: Date) => Mail;
}

/**
 * Mails that follow the mail of a submission: its link, and what a colleague pressed. They wait in memory alone. If the
 * process ends before one is sent, the next reminder has the link and the name. Without reminders the command is left.
 *
 * Of each kind and reference one waits, the newest; the first is due at once and each later one after a longer wait, up to
 * a quarter of an hour. Somebody who presses without end fills nobody's mailbox.
 */
export function createThreadMails(parts: Pick<Mailing, 'transport' | 'now' | 'log' | 'refusals'>) {
  const { now, log } = parts;
  const waiting = new Map<string, ThreadMail & { attempts: number; dueAt: number }>();
  /** How often one was sent, and when the last one was. The longest ago first. */
  const sent = new Map<string, { times: number; at: number }>();
  const keyOf = ({ kind, reference }: ThreadMail) => `${kind} ${reference}`;

  async function send(mail: ThreadMail, attempts: number): Promise<void> {
    const { kind, reference } = mail;
    // A server that refuses the link may take the reference without it.
    const write = async () => sendOrShorten(mail.compose(now()), parts);
    const outcome = await write().catch(
      ({ name }: Error): SendOutcome => ({ ok: false, permanent: true, reason: `${name} at writing` }),
    );
    if (outcome.ok) return log.info({ event: `${kind} mail sent`, reference });
    const { permanent, reason } = outcome;
    if (permanent || attempts >= mostAttempts)
      return log.error({ event: `${kind} mail not sent`, reference, attempts, reason });
    // Unless a newer one waits.
    if (!waiting.has(keyOf(mail)))
      waiting.set(keyOf(mail), { ...mail, attempts, dueAt: now().getTime() + backoffMs(attempts) });
  }

  return {
    add(mail: ThreadMail): void {
      const key = keyOf(mail);
      const { kind, reference } = mail;
      if (waiting.size >= mostWaiting && !waiting.has(key))
        return void log.error({ event: `${kind} mail not sent`, reference, reason: 'too many wait' });
      const last = sent.get(key);
      // A clock that was set back does not make it wait for longer.
      const dueAt = last ? Math.min(last.at, now().getTime()) + backoffMs(last.times, () => 0) : 0;
      waiting.set(key, { ...mail, attempts: 0, dueAt });
    },
    /** Takes the first that is due out of memory. The result sends it, and never rejects. */
    takeDue(): (() => Promise<void>) | undefined {
      const at = now().getTime();
      for (const [key, mail] of waiting) {
        // One that seems due much later waits for a clock that was set back.
        if (mail.dueAt > at && mail.dueAt - at <= rememberedMs) continue;
        waiting.delete(key);
        const times = (sent.get(key)?.times ?? 0) + 1;
        sent.delete(key);
        for (const [old, last] of sent) {
          if (at - last.at <= rememberedMs) break;
          sent.delete(old);
        }
        sent.set(key, { times, at });
        return () => send(mail, mail.attempts + 1);
      }
      return undefined;
    },
  };
}

export type ThreadMails = ReturnType<typeof createThreadMails>;
