import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { WrittenMail } from './mail.ts';
import { explainSmtpError, overdue } from './smtp-error.ts';
import type { MailTransport } from './transport.ts';

/** Milliseconds, each with what it ends. All of them together stay under a delivery's lease. */
export const smtpTimeouts = {
  /** From the look-up of the name to the end of STARTTLS. */
  connectionMs: 15_000,
  /** Connected, but the server does not say hello. */
  greetingMs: 10_000,
  /** Nothing moves. Some servers look a mail over for half a minute before they take it. */
  silenceMs: 40_000,
  /** The whole send. A server that dribbles one byte a second is never silent; this ends it too. */
  wholeMs: 45_000,
};

export interface SmtpOptions {
  /** `smtp://user:password@host:port` or `smtps://…`. */
  url: string;
  /** What this machine calls itself to the server. */
  name: string;
  timeouts?: Partial<typeof smtpTimeouts>;
  /** Whether mail to this host never leaves the machine, so that it may go unencrypted. */
  isLocal?: (host: string) => boolean;
  /** A certificate to trust besides those Node trusts, in PEM. */
  ca?: string;
}

/** One connection a mail: at thirty mails a minute a pool would only be one more thing that can break. */
export function createSmtpTransport(options: SmtpOptions): MailTransport {
  // Taken apart here and not by nodemailer, whose addresses can also say `?tls.rejectUnauthorized=false`.
  const url = new URL(options.url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const local = (options.isLocal ?? isLoopback)(host);
  const timeouts = { ...smtpTimeouts, ...options.timeouts };
  const auth = url.username
    ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
    : null;

  /** For how many of its addresses it was refused. Refused for all of them is an error. */
  function attempt({ envelope, raw }: WrittenMail): Promise<number> {
    const connection = new SMTPConnection({
      host,
      port: url.port ? Number(url.port) : secure ? 465 : 587,
      name: options.name,
      secure,
      requireTLS: !secure && !local,
      // A local server's certificate is rarely one that can be checked, and there is nobody in between.
      ignoreTLS: !secure && local,
      tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(options.ca ? { ca: options.ca } : {}) },
      connectionTimeout: timeouts.connectionMs,
      dnsTimeout: timeouts.connectionMs,
      greetingTimeout: timeouts.greetingMs,
      socketTimeout: timeouts.silenceMs,
      logger: false,
    });
    let timer: NodeJS.Timeout | undefined;
    return new Promise<number>((resolve, reject) => {
      timer = setTimeout(() => reject(overdue()), timeouts.wholeMs);
      const send = () =>
        connection.send({ ...envelope, size: raw.length }, raw, (error, info) =>
          error ? reject(error) : resolve(info.rejected.length),
        );
      connection.on('error', reject);
      connection.connect((error) => {
        if (error) return reject(error);
        if (!auth) return send();
        connection.login(auth, (failed) => (failed ? reject(failed) : send()));
      });
    }).finally(() => {
      clearTimeout(timer);
      connection.close();
    });
  }

  return {
    description: `SMTP at ${url.host}`,
    send: (mail) =>
      attempt(mail).then(
        (refused) => ({ ok: true, refused }),
        (error) => explainSmtpError(error),
      ),
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
