import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import { readCertificates } from '../../files/certificate-file.ts';
import { isLoopbackHost } from '../../hardening/loopback-host.ts';

/**
 * The only file that makes the driver's options from DATABASE_URL. To another machine the connection is encrypted and the
 * server's certificate checked, its authority and its name (docs/decisions/0104). The TLS parameters are interpreted here
 * and removed from the address: the driver reads some of them differently, and uses PGSSLMODE where it finds none.
 */

const tlsParameters = [
  'ssl',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslnegotiation',
  'uselibpqcompat',
];

const unsafe =
  'is of another machine, and asks for less than a checked certificate: others could read on the way what people wrote. Write sslmode=verify-full, or leave sslmode and ssl out; a certificate of your own authority needs sslrootcert=/etc/awhina/database-ca.pem too';

/** Safe even where {@link findTlsProblem} finds a problem: another machine's certificate is always checked. */
export function connectionOptions(url: string): ClientConfig {
  const address = new URL(url);
  const ssl = readTls(address);
  for (const name of tlsParameters) address.searchParams.delete(name);
  // Without a host the driver takes PGHOST, which may be anywhere.
  if (!hostOf(address)) address.searchParams.set('host', 'localhost');
  return { connectionString: address.href, ssl };
}

/** What is wrong with the TLS parameters of an address: the rest of a sentence that begins with the setting's name. */
export function findTlsProblem(url: string): string | null {
  const address = new URL(url);
  if (!isLocal(address) && asksForWeakerTls(address)) return unsafe;
  const root = rootCertificatePath(address);
  const read = root === null ? null : readCertificates(root);
  if (read && !read.ok) return `has an sslrootcert that ${read.problem}`;
  try {
    readTls(address);
    return null;
  } catch {
    return 'has an sslcert or an sslkey that names a file which cannot be read';
  }
}

/** As the driver reads it: the last `host` wins over the name in the address. */
const hostOf = ({ searchParams, hostname }: URL): string =>
  searchParams.getAll('host').at(-1) || decodeURIComponent(hostname).replace(/^\[|\]$/g, '');

const isLocal = (address: URL): boolean => isLoopbackHost(hostOf(address) || 'localhost');

const isOn = (value: string): boolean => ['true', '1'].includes(value);

const asksForWeakerTls = ({ searchParams }: URL): boolean =>
  searchParams.getAll('sslmode').some((mode) => mode !== 'verify-full') ||
  !searchParams.getAll('ssl').every(isOn) ||
  searchParams.has('uselibpqcompat');

/** `system` is libpq's word for the authorities that everybody trusts. */
function rootCertificatePath({ searchParams }: URL): string | null {
  const path = searchParams.get('sslrootcert');
  return path && path !== 'system' ? path : null;
}

function readTls(address: URL): ConnectionOptions | false {
  const { searchParams } = address;
  const mode = searchParams.get('sslmode') ?? (isOn(searchParams.get('ssl') ?? '') ? 'verify-full' : '');
  // A local connection cannot be read on the way, and few local databases have a certificate that could be checked.
  const isTlsOptional = isLocal(address);
  if (isTlsOptional && !['require', 'verify-ca', 'verify-full', 'no-verify'].includes(mode)) return false;
  const textOf = (path: string | null) => (path ? readFileSync(path, 'utf8') : undefined);
  return {
    rejectUnauthorized: !(isTlsOptional && mode === 'no-verify'),
    minVersion: 'TLSv1.2',
    ca: textOf(rootCertificatePath(address)),
    cert: textOf(searchParams.get('sslcert')),
    key: textOf(searchParams.get('sslkey')),
  };
}
