import type { WrittenMail } from '../mail.ts';
import type { MailTransport } from '../mail-transport.ts';
import { explainSmtpError } from './smtp-error.ts';
import { createSmtpProbe } from './smtp-probe.ts';
import { inSession, readServer, type SmtpOptions } from './smtp-session.ts';

/**
 * Asks for a report only if the mail cannot be delivered, by its name, and with nothing of the mail but its header: a report
 * must not carry the words of a request. A server that offers no reports (RFC 3461) is not asked.
 */
const reportOn = (name: string) => ({ ret: 'HDRS', envid: name, notify: 'FAILURE' }) as const;

/** One connection for each mail: at thirty mails a minute a pool would only be one more thing that can break. */
export function createSmtpTransport(options: SmtpOptions): Required<MailTransport> {
  const server = readServer(options);
  const sender = options.bouncesTo ?? options.from;

  /** Resolves to the addresses that were refused. Rejects where all were. */
  function attempt({ name, envelope: { to }, raw }: WrittenMail): Promise<string[]> {
    return inSession(server, async ({ connection, connect, signIn }) => {
      await connect();
      await signIn();
      return new Promise((resolve, reject) =>
        connection.send({ from: sender, to, size: raw.length, dsn: reportOn(name) }, raw, (error, info) =>
          error ? reject(error) : resolve(info.rejected),
        ),
      );
    });
  }

  return {
    description: `SMTP at ${new URL(options.url).host}`,
    send: (mail) =>
      attempt(mail).then(
        (refused) => ({ ok: true, refused }),
        (error) => explainSmtpError(error),
      ),
    probe: createSmtpProbe(server, sender),
  };
}
