import type { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailProbe, MailStep } from '../mail-transport.ts';
import { brokenOff, explainSmtpError, refusal, type SmtpError, unsendable } from './smtp-error.ts';
import { inSession, type SmtpServer, type SmtpSession } from './smtp-session.ts';

/** Goes the whole way of a mail, and turns back before there is one. */
export function createSmtpProbe(server: SmtpServer, from: string) {
  return async function probe(recipients: readonly string[]): Promise<MailProbe> {
    const steps: MailStep[] = [];
    const well = (step: MailStep['step'], detail = '') => void steps.push({ step, ok: true, detail });
    const failed = (step: MailStep['step'], error: SmtpError) =>
      void steps.push({ step, ok: false, detail: explainSmtpError(error).reason });
    const at: { step: MailStep['step'] | 'connecting' | 'leaving' } = { step: 'connecting' };
    let certificate: X509Certificate | undefined;

    async function walk({ connection, connect, signIn }: SmtpSession): Promise<void> {
      await connect();
      well('name');
      well('connection');
      certificate = readCertificate(connection);
      well('tls', describeTls(connection));

      at.step = 'sign-in';
      await signIn();
      well('sign-in', server.auth ? '' : 'no user in SMTP_URL');

      const send = await borrowCommands(connection);
      at.step = 'sender';
      await send('MAIL FROM', from);
      well('sender');

      at.step = 'recipient';
      for (const recipient of recipients) {
        const error = await send('RCPT TO', recipient).then(() => null, toRefusal);
        if (error) failed('recipient', error);
        else well('recipient');
        // The server has said that it closes the connection now: nobody would answer for the others.
        if (error?.responseCode === 421) return;
      }

      at.step = 'leaving';
      await send('RSET');
      connection.quit();
    }

    try {
      await inSession(server, walk);
    } catch (error) {
      if (at.step === 'connecting') {
        at.step = (error as SmtpError).during ?? 'connection';
        if (at.step !== 'name') well('name');
        if (at.step === 'tls') well('connection');
      }
      // All that matters was answered by then.
      if (at.step !== 'leaving') failed(at.step, error as SmtpError);
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
 * nodemailer lets nobody send commands but the handler of a sign-in method, so it is given one of ours to run, which ends
 * there: no server hears of it (docs/decisions/0073).
 */
async function borrowCommands(connection: SMTPConnection): Promise<Send> {
  // A server that closes when nobody waits for an answer is no error to nodemailer; the next command would wait for ever.
  const ended = new Promise<never>((_resolve, reject) => connection.once('end', () => reject(brokenOff())));
  ended.catch(() => {});
  const { sendCommand } = await new Promise<SMTPConnection.CustomAuthenticationContext>((resolve, reject) => {
    connection.customAuth.set('BORROWED', resolve);
    connection.login({ method: 'BORROWED' }, (error) => reject(error));
  });
  return async (command, address) => {
    if (address && /[\s<>]/.test(address)) throw unsendable(command);
    const line = address ? `${command}:<${address}>` : command;
    const { response } = await Promise.race([sendCommand(line), ended]);
    // Its own `status` knows neither an answer of several lines nor one without words.
    const code = Number(/^\d{3}(?!\d)/.exec(response)?.[0] ?? 0);
    if (code < 200 || code > 299) throw refusal(response, code, command);
  };
}

/** @throws what is none: that the connection is gone concerns everybody who comes after. */
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
