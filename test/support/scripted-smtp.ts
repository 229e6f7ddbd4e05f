import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { SmtpOptions } from '../../src/server/delivery/smtp/smtp-session.ts';
import { testCertificate } from './test-certificate.ts';

/** A mail server that does as a test tells it, step by step. */

export type Step = 'GREETING' | 'EHLO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'RSET' | 'DATA' | 'END';

/** A reply to give instead of the usual one, or what a bad server does instead of answering. */
export type Act = string | 'silent' | 'drop' | 'dribble';

export interface Taken {
  from: string;
  to: string[];
  raw: string;
  /** What the mail arrived over. */
  encrypted: boolean;
}

export interface ScriptedSmtp {
  port: number;
  /** What it does at each step; a test may change it at any time. */
  script: Partial<Record<Step, Act | ((mail: Taken) => Act | undefined)>>;
  /** Where set, the answer to a whole mail waits for it. */
  hold?: Promise<void> | undefined;
  /** Every mail whose last byte arrived, whether or not it was then answered. */
  seen: Taken[];
  /** Every mail that was answered with a 250. */
  accepted: Taken[];
  /** How many were connected at the same time, at most. */
  mostAtOnce: number;
  /** Every command, as it came, also over TLS. */
  heard: string[];
  /** Whatever a client sent before TLS, commands and all. */
  plainText: string;
  close(): Promise<void>;
}

/** The settings of a server that sends its mail there. */
export const mailTo = (port: number) => ({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  MAIL_FROM: 'website@trust.example',
  MAIL_TO_HELP: 'help@trust.example',
  MAIL_TO_CONTACT: 'contact@trust.example',
});

const usual: Record<Step, string> = {
  GREETING: '220 test ESMTP',
  EHLO: '250-test\r\n250-SIZE 20000000\r\n250 AUTH PLAIN',
  STARTTLS: '220 go ahead',
  AUTH: '235 welcome',
  MAIL: '250 ok',
  RCPT: '250 ok',
  RSET: '250 ok',
  DATA: '354 go on',
  END: '250 taken',
};

/**
 * For servers that never answer or never finish: the tested timeout is short and all others are long, because on a busy
 * machine either of two short ones may come first.
 */
export function impatient(step: Step, act: Act): NonNullable<SmtpOptions['timeouts']> {
  if (act === 'silent') return { greetingMs: 250, silenceMs: 250 };
  if (act === 'dribble' && step === 'GREETING') return { greetingMs: 250 };
  // Long enough for a busy machine to reach the step.
  return act === 'dribble' || act.startsWith('250-') ? { wholeMs: 1_000 } : {};
}

/** Between two bytes of a server that dribbles: always sooner than its client calls it silent. */
const dribbleMs = 20;

export async function startScriptedSmtp(
  options: { starttls?: boolean; tls?: boolean; certificate?: typeof testCertificate } = {},
): Promise<ScriptedSmtp> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    smtp.mostAtOnce = Math.max(smtp.mostAtOnce, sockets.size);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    serve(options.tls ? secure(socket) : socket, smtp, options.starttls ? secure : null);
  });
  function secure(socket: Socket): TLSSocket {
    const wrapped = new TLSSocket(socket, { isServer: true, ...(options.certificate ?? testCertificate) });
    wrapped.on('error', () => {});
    return wrapped;
  }
  const smtp: ScriptedSmtp = {
    port: 0,
    script: {},
    seen: [],
    accepted: [],
    mostAtOnce: 0,
    heard: [],
    plainText: '',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  smtp.port = (server.address() as { port: number }).port;
  return smtp;
}

/** One that ends with the test. */
export async function startSmtp(options?: Parameters<typeof startScriptedSmtp>[0]): Promise<ScriptedSmtp> {
  const smtp = await startScriptedSmtp(options);
  onTestFinished(() => smtp.close());
  return smtp;
}

/** After STARTTLS the talk goes on without another greeting. */
function serve(
  socket: Socket,
  smtp: ScriptedSmtp,
  starttls: ((socket: Socket) => TLSSocket) | null,
  greet = true,
): void {
  let mail: Taken = { from: '', to: [], raw: '', encrypted: socket instanceof TLSSocket };
  let inData = false;
  let buffered = '';

  function answer(step: Step): boolean {
    const scripted = smtp.script[step];
    const act = (typeof scripted === 'function' ? scripted(mail) : scripted) ?? usualReply(step);
    if (act === 'silent') return false;
    if (act === 'drop') socket.destroy();
    else if (act === 'dribble') dribble(socket, `${'220-wait\r\n'.repeat(500)}`);
    else socket.write(`${act}\r\n`);
    return /^[23]/.test(act);
  }
  const usualReply = (step: Step) =>
    step === 'EHLO' && starttls && !mail.encrypted ? `250-STARTTLS\r\n${usual.EHLO}` : usual[step];

  function take(line: string): void {
    const [verb = ''] = line.toUpperCase().split(' ');
    smtp.heard.push(line);
    if (verb === 'EHLO' || verb === 'HELO') answer('EHLO');
    else if (verb === 'STARTTLS') {
      if (!starttls) socket.write('502 what is that\r\n');
      else if (answer('STARTTLS')) {
        socket.removeAllListeners('data');
        serve(starttls(socket), smtp, starttls, false);
      }
    } else if (verb === 'AUTH') answer('AUTH');
    else if (verb === 'MAIL') {
      mail = { ...mail, from: addressIn(line), to: [], raw: '' };
      answer('MAIL');
    } else if (verb === 'RCPT') {
      mail.to.push(addressIn(line));
      if (!answer('RCPT')) mail.to.pop();
    } else if (verb === 'DATA') inData = answer('DATA');
    else if (verb === 'RSET') answer('RSET');
    else if (verb === 'QUIT') socket.end('221 bye\r\n');
    else socket.write('250 ok\r\n');
  }

  socket.on('data', (chunk) => {
    if (!mail.encrypted) smtp.plainText += chunk.toString('latin1');
    buffered += chunk.toString('latin1');
    for (;;) {
      const end = buffered.indexOf(inData ? '\r\n.\r\n' : '\r\n');
      if (end < 0) return;
      const part = buffered.slice(0, end);
      buffered = buffered.slice(end + (inData ? 5 : 2));
      if (!inData) take(part);
      else {
        inData = false;
        mail.raw = part.replace(/^\.\./gm, '.');
        smtp.seen.push(mail);
        const whole = mail;
        const finish = () => {
          if (answer('END')) smtp.accepted.push(whole);
        };
        if (smtp.hold) void smtp.hold.then(finish);
        else finish();
      }
    }
  });
  if (greet) answer('GREETING');
}

const addressIn = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? '';

function dribble(socket: Socket, text: string): void {
  let sent = 0;
  const timer = setInterval(() => socket.write(text[sent++] ?? '\n'), dribbleMs);
  socket.on('close', () => clearInterval(timer));
}
