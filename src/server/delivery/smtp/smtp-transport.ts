import type { WrittenMail } from '../mail.ts';
import type { MailTransport } from '../mail-transport.ts';
import { explainSmtpError } from './smtp-error.ts';
import { createSmtpProbe } from './smtp-probe.ts';
import { inSession, readServer, type SmtpOptions } from './smtp-session.ts';

/** One connection for each mail: at thirty mails a minute a pool would only be one more thing that can break. */
export function createSmtpTransport(options: SmtpOptions): Required<MailTransport> {
  const server = readServer(options);

  /** Resolves to the number of addresses that were refused. Rejects where all were. */
  function attempt({ envelope, raw }: WrittenMail): Promise<number> {
    return inSession(server, async ({ connection, connect, signIn }) => {
      await connect();
      await signIn();
      return new Promise((resolve, reject) =>
        connection.send({ ...envelope, size: raw.length }, raw, (error, info) =>
          error ? reject(error) : resolve(info.rejected.length),
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
    probe: createSmtpProbe(server, options.from),
  };
}
