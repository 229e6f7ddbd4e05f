import { createSecureContext, getCACertificates } from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { isLoopbackHost } from '../../hardening/loopback-host.ts';
import { type SmtpError, smtpError } from './smtp-error.ts';

/** Milliseconds. The whole session stays under a delivery's lease. */
const smtpTimeouts = {
  /** From the DNS query to the end of STARTTLS. */
  connectionMs: 15_000,
  /** From the connection to the server's greeting. */
  greetingMs: 10_000,
  /** The longest silence within a session. Some servers scan a mail for half a minute before they accept it. */
  silenceMs: 40_000,
  /** The whole session: a server that sends one byte a second is never silent. */
  wholeMs: 45_000,
};

export interface SmtpOptions {
  /** `smtp://user:password@host:port` or `smtps://…`. */
  url: string;
  /** The address in From. Its domain is the name of this machine in EHLO. */
  from: string;
  /** The sender in the envelope: who gets the reports of mail that could not be delivered. Without it `from`. */
  bouncesTo?: string | undefined;
  timeouts?: Partial<typeof smtpTimeouts>;
  /** Whether this host is the machine itself, so that mail may go unencrypted. */
  isLocal?: (host: string) => boolean;
  /** Certificates to trust besides those Node trusts, in PEM. */
  ca?: string | readonly string[] | undefined;
}

/** A mail server as the settings name it. */
export interface SmtpServer {
  connection: SMTPConnection.Options & { host: string; port: number };
  /** Null where the settings name no user. */
  auth: { user: string; pass: string } | null;
  wholeMs: number;
}

export function readServer(options: SmtpOptions): SmtpServer {
  // Not parsed by nodemailer, which also understands `?tls.rejectUnauthorized=false`.
  const url = new URL(options.url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const local = (options.isLocal ?? isLoopbackHost)(host);
  const timeouts = { ...smtpTimeouts, ...options.timeouts };
  return {
    connection: {
      host,
      port: url.port ? Number(url.port) : secure ? 465 : 587,
      name: options.from.slice(options.from.lastIndexOf('@') + 1),
      secure,
      requireTLS: !secure && !local,
      // A local server rarely has a certificate that can be verified, and there is no network in between.
      ignoreTLS: !secure && local,
      tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...trustOptions(options.ca) },
      connectionTimeout: timeouts.connectionMs,
      dnsTimeout: timeouts.connectionMs,
      greetingTimeout: timeouts.greetingMs,
      socketTimeout: timeouts.silenceMs,
      logger: false,
    },
    auth: url.username
      ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
      : null,
    wholeMs: timeouts.wholeMs,
  };
}

/** The context is built once: with all the authorities that Node trusts it takes 30 ms, and each mail is a connection. */
function trustOptions(ca: SmtpOptions['ca']) {
  if (ca === undefined) return {};
  const all = [...getCACertificates('default'), ...[ca].flat()];
  return { secureContext: createSecureContext({ minVersion: 'TLSv1.2', ca: all }) };
}

export interface SmtpSession {
  connection: SMTPConnection;
  /** Connects, up to the end of TLS. */
  connect(): Promise<void>;
  /** Does nothing where there is no user. */
  signIn(): Promise<void>;
}

/** One session with the server, with a time limit. The connection is closed whatever happens. */
export function inSession<T>(
  { connection: options, auth, wholeMs }: SmtpServer,
  talk: (session: SmtpSession) => Promise<T>,
): Promise<T> {
  const connection = new SMTPConnection(options);
  let timer: NodeJS.Timeout | undefined;
  const broken = new Promise<never>((_resolve, reject) => {
    // The step is read now: by the time the promise is rejected the socket is gone.
    const fail = (error: SmtpError) =>
      reject(Object.assign(error, { during: findConnectStep(connection, error) }));
    timer = setTimeout(() => fail(smtpError('ETIMEDOUT', 'SESSION')), wholeMs);
    connection.on('error', fail);
  });
  const settle =
    (resolve: () => void, reject: (error: Error) => void) =>
    (error?: SmtpError | null): void =>
      error ? reject(error) : resolve();
  const talking = talk({
    connection,
    connect: () => new Promise((resolve, reject) => connection.connect(settle(resolve, reject))),
    signIn: () =>
      auth
        ? new Promise((resolve, reject) => connection.login(auth, settle(resolve, reject)))
        : Promise.resolve(),
  });
  return Promise.race([broken, talking]).finally(() => {
    clearTimeout(timer);
    connection.close();
  });
}

/** The step of connecting that failed, as far as the socket can tell. */
function findConnectStep(connection: SMTPConnection, error: SmtpError): SmtpError['during'] {
  const { _socket: socket, stage, secureConnection, upgrading } = connection;
  if (error.code === 'EDNS' || !socket) return 'name';
  if (upgrading || error.code === 'ETLS') return 'tls';
  // With smtps:// TLS follows the connection at once; an error of the connection itself names that system call.
  const unconnected = socket.connecting || error.syscall === 'connect' || error instanceof AggregateError;
  return secureConnection && stage === 'init' && !unconnected ? 'tls' : 'connection';
}
