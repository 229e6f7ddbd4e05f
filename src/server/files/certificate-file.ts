import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { formatNzDay } from '../time/nz-time.ts';

/** The certificates of a trust's own authority, in PEM. */
export interface CertificateFile {
  certificates: readonly string[];
  /** When the last of them expires: from then on nothing they signed is trusted. */
  expiresAt: Date;
}

type ReadCertificates = ({ ok: true } & CertificateFile) | { ok: false; problem: string };

const pem = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

/** `problem` follows the name of the setting, and repeats nothing of the setting or the file. */
export function readCertificates(path: string): ReadCertificates {
  try {
    const certificates = readFileSync(path, 'utf8').match(pem) ?? [];
    if (certificates.length === 0)
      return bad('names a file without a certificate in PEM (-----BEGIN CERTIFICATE-----)');
    const ends = certificates.map((text) => new X509Certificate(text).validToDate.getTime());
    return { ok: true, certificates, expiresAt: new Date(Math.max(...ends)) };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return bad(fileProblems[code] ?? 'names a file with a certificate that cannot be read');
  }
}

/** An expired authority does not stop the start: mail waits, and requests are stored all the same. */
export function describeExpired(setting: string, expiresAt: Date | undefined, now: Date): string | null {
  if (!expiresAt || expiresAt > now) return null;
  return `The certificate in ${setting} ended on ${formatNzDay(expiresAt)}: the mail server is not believed, and mail waits. Put a new one into the file, and restart.`;
}

const bad = (problem: string) => ({ ok: false as const, problem });

const fileProblems: Record<string, string> = {
  ENOENT: 'names a file that is not there',
  ENOTDIR: 'names a file that is not there',
  EISDIR: 'names a folder, and must name a file',
  EACCES: 'names a file that this user may not read',
  // From Node's permissions, which deploy/awhina.service sets.
  ERR_ACCESS_DENIED: 'names a file that the service may not read: put it into /etc/awhina',
};
