import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../src/server/store/postgres/postgres-store.ts';
import { awhina } from './support/command.ts';
import { startPostgres, type TestPostgres } from './support/postgres.ts';
import { temporaryFolder } from './support/temporary.ts';
import { signedCertificate } from './support/test-certificate.ts';

/** A database that encrypts, with a certificate for `127.1`, which no one can tell from another machine by its name. */
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres({ certificate: signedCertificate });
});
afterAll(() => postgres.remove());

function addressAt(host: string, withAuthority: boolean): string {
  const path = join(temporaryFolder(), 'ca.pem');
  writeFileSync(path, signedCertificate.authority);
  const url = postgres.url.replace('127.0.0.1', host);
  return withAuthority ? `${url}?sslrootcert=${encodeURIComponent(path)}` : url;
}

test('what goes to a database on another machine is encrypted', async () => {
  const store = await openPostgresStore(addressAt('127.1', true), () => {});
  onTestFinished(() => store.close());
  const client = new pg.Client(postgres.url);
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query(
    `SELECT bool_and(ssl) AS encrypted, count(*)::integer AS n FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
     WHERE application_name = 'awhina'`,
  );
  expect(rows).toEqual([{ encrypted: true, n: expect.any(Number) }]);
  expect(rows[0].n).toBeGreaterThan(0);
});

test('a certificate that nobody known has signed, or of another name, is refused in a sentence', async () => {
  const open = (url: string) => openPostgresStore(url, () => {});
  await expect(open(addressAt('127.1', false))).rejects.toMatchObject({
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  });
  // 0.0.0.0, which leads here too.
  await expect(open(addressAt('0', true))).rejects.toMatchObject({
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });

  const settings = { DATA_DIR: temporaryFolder(), DATABASE_URL: addressAt('127.1', false) };
  expect((await awhina(['check'], settings)).out).toMatch(
    /Note: DATABASE_URL names .* certificate no known authority has signed\. Add \?sslrootcert=/,
  );
});
