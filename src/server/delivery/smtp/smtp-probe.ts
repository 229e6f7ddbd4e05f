import type { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailProbe, MailStep } from '../mail-transport.ts';
import { explainSmtpError, type SmtpError, smtpError } from './smtp-error.ts';
import { inSession, type SmtpServer, type SmtpSession } from './smtp-session.ts';

/** Does every step of sending a mail, up to RCPT TO, and resets the session before DATA. */
export function createSmtpProbe(server: SmtpServer, from: string) {
  return async function probe(recipients: readonly string[]): Promise<MailProbe> {
    const steps: MailStep[] = [];
    const passed = (step: MailStep['step'], detail = '') => void steps.push({ step, ok: true, detail });
    const failed = (step: MailStep['step'], error: SmtpError) =>
      void steps.push({ step, ok: false, detail: explainSmtpError(error).reason });
    const current: { step: MailStep['step'] | 'connecting' | 'leaving' } = { step: 'connecting' };
    let certificate: X509Certificate | undefined;

    async function takeSteps({ connection, connect, signIn }: SmtpSession): Promise<void> {
      await connect();
      passed('name');
      passed('connection');
      certificate = readCertificate(connection);
      passed('tls', describeTls(connection));

      current.step = 'sign-in';
      await signIn();
      passed('sign-in', server.auth ? '' : 'no user in SMTP_URL');

      const send = await obtainSendCommand(connection);
      current.step = 'sender';
      await send('MAIL FROM', from);
      passed('sender');

      current.step = 'recipient';
      for (const recipient of recipients) {
        const error = await send('RCPT TO', recipient).then(() => null, toRefusal);
        if (error) failed('recipient', error);
        else passed('recipient');
        // 421: the server closes the connection, so that the other recipients cannot be tried.
        if (error?.responseCode === 421) return;
      }

      current.step = 'leaving';
      await send('RSET');
      connection.quit();
    }

    try {
      await inSession(server, takeSteps);
    } catch (error) {
      if (current.step === 'connecting') {
        current.step = (error as SmtpError).during ?? 'connection';
        if (current.step !== 'name') passed('name');
        if (current.step === 'tls') passed('connection');
      }
      // A failure after the last recipient does not matter.
      if (current.step !== 'leaving') failed(current.step, error as SmtpError);
    }
    return {
      steps,
      problem: steps.find(({ ok }) => !ok)?.detail ?? null,
      certificateUntil: certificate?.validToDate ?? null,
      certificateFrom: certificate?.validFromDate ?? null,
    };
  };
}

type Send = (command: string, address?: string) => Promise<void>;

/**
 * nodemailer lets only the handler of a sign-in method send commands. So a sign-in method is registered that passes us
 * `sendCommand` and sends nothing itself (docs/decisions/0073).
 */
async function obtainSendCommand(connection: SMTPConnection): Promise<Send> {
  // nodemailer reports no error where the server closes between two commands; the next one would wait for ever.
  const ended = new Promise<never>((_resolve, reject) =>
    connection.once('end', () => reject(smtpError('ECONNECTION', 'CONN'))),
  );
  ended.catch(() => {});
  const { sendCommand } = await new Promise<SMTPConnection.CustomAuthenticationContext>((resolve, reject) => {
    connection.customAuth.set('BORROWED', resolve);
    connection.login({ method: 'BORROWED' }, (error) => reject(error));
  });
  return async (command, address) => {
    // Spaces or brackets in an address would change the command.
    if (address && /[\s<>]/.test(address)) throw smtpError('EENVELOPE', command);
    const line = address ? `${command}:<${address}>` : command;
    const { response } = await Promise.race([sendCommand(line), ended]);
    // nodemailer's own `status` fails for replies of several lines and for replies without text.
    const code = Number(/^\d{3}(?!\d)/.exec(response)?.[0] ?? 0);
    if (code < 200 || code > 299) throw smtpError('EENVELOPE', command, { response, responseCode: code });
  };
}

/** @throws an error that is not an SMTP reply: the connection is lost, so the other recipients cannot be tried. */
function toRefusal(error: SmtpError): SmtpError {
  if (error.responseCode === undefined) throw error;
  return error;
}

function readCertificate({ _socket: socket }: SMTPConnection): X509Certificate | undefined {
  return socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
}

function describeTls({ _socket: socket }: SMTPConnection): string {
  return (
    (socket instanceof TLSSocket && socket.getProtocol()) || 'not encrypted, and does not leave this machine'
  );
}
