import type { SendOutcome } from '../mail-transport.ts';

/** What nodemailer tells about a failure, of which some holds words of the server and stays unread. */
export interface SmtpError extends Error {
  code?: string | undefined;
  syscall?: string | undefined;
  /** The system's own code under nodemailer's, such as ECONNREFUSED. */
  originalCode?: string | undefined;
  responseCode?: number | undefined;
  response?: string | undefined;
  command?: string | undefined;
  /** Ours: where it came while connecting, at what. */
  during?: 'name' | 'connection' | 'tls';
}

/** A 5xx here is the server's verdict on this mail. Before these steps it knows nothing of the mail yet. */
const mailSteps = ['MAIL FROM', 'RCPT TO', 'DATA'];

/**
 * Refusals of us and not of the mail, whichever step they come at: not logged in, wrong password, no encryption,
 * commands out of order. Whoever runs the site mends them, and then every waiting request goes out by itself.
 */
const aboutUs = [503, 530, 534, 535, 538];

/**
 * Refusals that pass by themselves, whatever the first digit says (RFC 3463): a mailbox or a disk that is full, a
 * server that takes nothing just now, a daily limit. 552 without more is the same: RFC 5321 4.5.3.1.10.
 */
const passing = /^5\.(2\.2|3\.[1235]|4\.\d+)$/;

export function explainSmtpError(error: SmtpError): SendOutcome & { ok: false } {
  const step = error.command && /^[A-Z0-9 -]{1,20}$/.test(error.command) ? error.command : 'CONN';
  const { responseCode } = error;
  if (responseCode) {
    const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(error.response ?? '')?.[1];
    const reason = `SMTP ${responseCode}${enhanced ? ` ${enhanced}` : ''} at ${step}`;
    const passes = enhanced ? passing.test(enhanced) : responseCode === 552 && step !== 'DATA';
    const verdict = responseCode >= 500 && mailSteps.includes(step) && !aboutUs.includes(responseCode);
    return { ok: false, permanent: verdict && !passes, reason };
  }
  // Without an answer: the server had said how much it takes, and this mail is larger.
  const permanent = error.code === 'EMESSAGE';
  return { ok: false, permanent, reason: `${codeOf(error)} at ${step}` };
}

export function overdue(): SmtpError {
  return Object.assign(new Error('The mail server took too long'), { code: 'ETIMEDOUT', command: 'SESSION' });
}

export function brokenOff(): SmtpError {
  return Object.assign(new Error('The mail server broke off'), { code: 'ECONNECTION', command: 'CONN' });
}

/** An answer to a command of our own. */
export function refusal(response: string, responseCode: number, command: string): SmtpError {
  return Object.assign(new Error('Refused'), { code: 'EENVELOPE', response, responseCode, command });
}

/** An address that would be more than one word of a command. */
export function unsendable(command: string): SmtpError {
  return Object.assign(new Error('Not an address'), { code: 'EENVELOPE', command });
}

function codeOf({ code, originalCode, name }: SmtpError): string {
  return [originalCode, code, name].find((text) => text && /^[A-Za-z0-9_]{1,40}$/.test(text)) ?? 'Error';
}

/**
 * Whether a failure often passes by itself: one that the server calls temporary, and all that the network does. A refusal or
 * a certificate that cannot be trusted stays until somebody mends it.
 */
export function isTransient(reason: string): boolean {
  return !/^(SMTP 5|EAUTH|EENVELOPE)|CERT|SIGNATURE|ALTNAME/.test(reason);
}
