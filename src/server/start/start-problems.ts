import { BadSettings } from '../settings/settings.ts';

/** Failures of a start that a setting fixes: each in one line that names the setting, says what to do, and repeats no value. */

type Explain = (error: Failure) => string | undefined;
type Failure = NodeJS.ErrnoException & { errcode?: number };

/** @throws {BadSettings} where the failure has an explanation; any other failure is thrown as it is. */
export async function withExplanation<T>(explain: Explain, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    const line = explain(cause as Failure);
    throw line === undefined ? cause : new BadSettings(line, { cause });
  }
}

const notWritable =
  'DATA_DIR cannot be written to. Let the user this runs as write there, or set it to another folder.';
const noFolder = 'DATA_DIR is not a folder. Set it to one, or to where one can be made.';
const full = 'DATA_DIR is on a disk that is full. Make room there, or set it to a folder on another disk.';
const damaged =
  'DATA_DIR holds an awhina.sqlite that is damaged, or no database. Nothing was changed. Put a backup of it in its place, or move it away to start with an empty one; docs/operating.md says how to get the requests out of it.';

const fileProblems: Record<string, string> = {
  ...{ EEXIST: noFolder, ENOTDIR: noFolder },
  ...{ EACCES: notWritable, EPERM: notWritable, EROFS: notWritable },
  ENOSPC: full,
};

/** By SQLite's primary result codes: sqlite.org/rescode.html */
const sqliteProblems: Record<number, string> = {
  ...{ 3: notWritable, 8: notWritable, 14: notWritable },
  5: 'DATA_DIR holds an awhina.sqlite that another program has locked. End that program, and start again.',
  13: full,
  ...{ 11: damaged, 26: damaged },
};

export const explainDataDir: Explain = ({ code = '', errcode }) =>
  // The lowest byte of an extended code is the primary code.
  errcode === undefined ? fileProblems[code] : sqliteProblems[errcode & 0xff];

/** By PostgreSQL's own codes: postgresql.org/docs/current/errcodes-appendix.html */
const postgresProblems: Record<string, string> = {
  '28000': 'DATABASE_URL has a user whom the database does not let in. Set it to one it does.',
  '28P01': 'DATABASE_URL has a user or a password that the database refuses. Set it to those it knows.',
  '3D000': 'DATABASE_URL names a database that is not there. Make it, or set it to one that is.',
  '42501': 'DATABASE_URL has a user who may not make tables. Grant that right, or set it to one who may.',
};

const unknownAuthority =
  'DATABASE_URL names a database on another machine whose certificate no known authority has signed. Add ?sslrootcert= with the file of the authority that did; docs/operating.md says how.';

/** By the codes of Node's TLS. */
const certificateProblems: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'DATABASE_URL names the database’s machine otherwise than its certificate does. Write the name that the certificate has, or give the database a certificate for this one.',
};
const noTls =
  'DATABASE_URL names a database on another machine that does not encrypt. Give it a certificate (ssl = on); what people wrote does not go over a network in clear text. docs/operating.md says how.';

/** No setting fixes these. A server starts all the same, and stores requests in its own file meanwhile. */
const certificateTimeProblems: Record<string, string> = {
  CERT_HAS_EXPIRED:
    'The certificate of the database in DATABASE_URL, or of its authority, has expired. Renew it.',
  CERT_NOT_YET_VALID:
    'The certificate of the database in DATABASE_URL is not valid yet. Is the clock of this machine right?',
};

/** Every other failure of PostgreSQL may pass by itself. */
export const explainDatabase: Explain = (error) => {
  const { code = '', message, cause } = error;
  // The driver gives this error no code.
  if (message === 'The server does not support SSL connections') return noTls;
  const problem = postgresProblems[code] ?? certificateProblems[code];
  return problem ?? (cause instanceof Error ? explainDatabase(cause) : undefined);
};

/** For a command, which has no local fallback: expired certificates are final too. */
export const explainUnreachable: Explain = (error) =>
  explainDatabase(error) ?? certificateTimeProblems[error.code ?? ''];

export const describeUnreachable = (error: Failure): string =>
  explainUnreachable(error) ?? 'The database in DATABASE_URL cannot be reached.';

export const explainListening: Explain = ({ code, syscall = '' }) => {
  if (code === 'EADDRINUSE') return 'Another program has this port already. Set PORT to another one.';
  if (code === 'EACCES')
    return 'PORT is one that this user may not listen on. Set it to one from 1024 upwards.';
  return ['listen', 'bind', 'getaddrinfo'].includes(syscall)
    ? `HOST is not an address this machine can listen on (${code}). Set it to 127.0.0.1, or to an address of this machine.`
    : undefined;
};
