import type { SendOutcome } from '../mail-transport.ts';

/** A failure from nodemailer. The message may quote the server, and is never read. */
export interface SmtpError extends Error {
  code?: string | undefined;
  syscall?: string | undefined;
  /** The system's own code under nodemailer's, such as ECONNREFUSED. */
  originalCode?: string | undefined;
  responseCode?: number | undefined;
  response?: string | undefined;
  command?: string | undefined;
  /** Added by smtp-session.ts: the step of connecting that failed. */
  during?: 'name' | 'connection' | 'tls';
}

/** A 5xx at these steps is about the mail. Before them the server knows nothing of the mail. */
const mailSteps = ['MAIL FROM', 'RCPT TO', 'DATA'];

/**
 * Refusals of this client and not of the mail, at any step: not signed in, wrong password, no encryption, commands out
 * of order. Once somebody has fixed the settings, every waiting request is sent by itself.
 */
const clientRefusals = [503, 530, 534, 535, 538];

/**
 * Temporary refusals, although they begin with 5 (RFC 3463): a full mailbox or disk, a server that accepts nothing for
 * now, a daily limit. A 552 without an enhanced code is one of them: RFC 5321 4.5.3.1.10.
 */
const temporaryCodes = /^5\.(2\.2|3\.[1235]|4\.\d+)$/;

export function explainSmtpError(error: SmtpError): SendOutcome & { ok: false } {
  const step = error.command && /^[A-Z0-9 -]{1,20}$/.test(error.command) ? error.command : 'CONN';
  const { responseCode } = error;
  if (responseCode) {
    const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(error.response ?? '')?.[1];
    const reason = `SMTP ${responseCode}${enhanced ? ` ${enhanced}` : ''} at ${step}`;
    const isTemporary = enhanced ? temporaryCodes.test(enhanced) : responseCode === 552 && step !== 'DATA';
    const isAboutMail =
      responseCode >= 500 && mailSteps.includes(step) && !clientRefusals.includes(responseCode);
    return { ok: false, permanent: isAboutMail && !isTemporary, reason };
  }
  // nodemailer itself refuses a mail that is larger than the SIZE the server named.
  const permanent = error.code === 'EMESSAGE';
  return { ok: false, permanent, reason: `${codeOf(error)} at ${step}` };
}

/** A failure that nodemailer does not know: a timeout, a lost connection or a refusal during a probe. */
export function smtpError(code: string, command: string, reply: Partial<SmtpError> = {}): SmtpError {
  return Object.assign(new Error(`${code} at ${command}`), { code, command, ...reply });
}

function codeOf({ code, originalCode, name }: SmtpError): string {
  return [originalCode, code, name].find((text) => text && /^[A-Za-z0-9_]{1,40}$/.test(text)) ?? 'Error';
}

/**
 * Whether a failure often passes by itself: a temporary reply or a failure of the network. A permanent refusal or an
 * untrusted certificate stays until somebody fixes it.
 */
export function isTransient(reason: string): boolean {
  return !/^(SMTP 5|EAUTH|EENVELOPE)|CERT|SIGNATURE|ALTNAME/.test(reason);
}
