import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { signedCertificate } from '../../../../test/support/test-certificate.ts';
import { connectionOptions, findTlsProblem } from './connection.ts';

/** What the driver makes of the options in the end. */
const driven = (url: string) => {
  const { host, ssl, connectionParameters } = new pg.Client(connectionOptions(url)) as unknown as {
    host: string;
    ssl: false | Record<string, unknown>;
    connectionParameters: { database: string; user: string; password: string; options?: string };
  };
  // The driver hides the password from anyone who lists it.
  return { host, ssl, ...connectionParameters, password: connectionParameters.password };
};
const checked = expect.objectContaining({ rejectUnauthorized: true, minVersion: 'TLSv1.2' });

describe('a database on another machine', () => {
  test.each([
    'postgres://u:p@db.trust.example/name',
    'postgres://u:p@10.0.0.1:5433/name',
    'postgres://u:p@[fd00::1]/name',
    'postgres://u:p@localhost/name?host=db.trust.example',
    'postgres://u:p@localhost/name?host=localhost&host=db.trust.example',
    'postgres://u:p@db.trust.example/name?sslmode=verify-full',
    'postgres://u:p@db.trust.example/name?ssl=true',
    'postgres://u:p@db.trust.example/name?sslnegotiation=direct',
  ])('is encrypted to, and its certificate checked: %s', (url) => {
    expect(findTlsProblem(url)).toBeNull();
    expect(driven(url).ssl).toEqual(checked);
  });

  test.each([
    'sslmode=disable',
    'sslmode=allow',
    'sslmode=prefer',
    'sslmode=require',
    'sslmode=no-verify',
    'sslmode=verify-ca',
    'sslmode=SECRET',
    'sslmode=',
    'sslmode=verify-full&sslmode=disable',
    'sslmode=disable&sslmode=verify-full',
    'ssl=false',
    'ssl=0',
    'ssl=no-verify',
    'uselibpqcompat=true',
    'uselibpqcompat=true&sslmode=verify-full',
  ])('that asks for less is refused, and would be checked all the same: %s', (asked) => {
    const url = `postgres://u:SECRET@db.trust.example/name?${asked}`;
    expect(findTlsProblem(url)).toMatch(/another machine.*Write sslmode=verify-full.*sslrootcert=/);
    expect(findTlsProblem(url)).not.toContain('SECRET');
    expect(driven(url).ssl).toEqual(checked);
  });

  test('can have a certificate of an authority of its own, which then is the only one', () => {
    const ca = join(temporaryFolder(), 'ca.pem');
    writeFileSync(ca, signedCertificate.authority);
    const url = `postgres://u:p@db.trust.example/name?sslrootcert=${encodeURIComponent(ca)}`;
    expect(findTlsProblem(url)).toBeNull();
    expect(driven(url).ssl).toMatchObject({ rejectUnauthorized: true, ca: signedCertificate.authority });
    expect(driven('postgres://u:p@db.trust.example/name?sslrootcert=system').ssl).toMatchObject({
      ca: undefined,
    });
  });

  test('whose address names a bad certificate file is refused, with what is wrong with the file', () => {
    const problem = (path: string) => findTlsProblem(`postgres://u:p@db.example/name?sslrootcert=${path}`);
    const empty = join(temporaryFolder(), 'empty.pem');
    writeFileSync(empty, 'nothing');
    expect(problem('/nowhere/ca.pem')).toBe('has an sslrootcert that names a file that is not there');
    expect(problem(empty)).toMatch(/without a certificate in PEM/);
    expect(problem('system&sslkey=/nowhere/key')).toMatch(/^has an sslcert or an sslkey that names a file/);
  });

  test('is not found in the environment', () => {
    process.env.PGHOST = 'db.trust.example';
    process.env.PGSSLMODE = 'no-verify';
    try {
      expect(driven('postgres:///name').host).toBe('localhost');
      expect(driven('postgres://u:p@db.trust.example/name').ssl).toEqual(checked);
    } finally {
      delete process.env.PGHOST;
      delete process.env.PGSSLMODE;
    }
  });
});

describe('a database on this machine', () => {
  test.each([
    'postgres://u:p@localhost/name',
    'postgres://u:p@127.0.0.1:5433/name?sslmode=disable',
    'postgres://u:p@127.0.0.1/name?sslmode=prefer',
    'postgres://u:p@[::1]/name',
    'postgres:///name?host=/var/run/postgresql',
    'postgres://%2Fvar%2Frun%2Fpostgresql/name',
  ])('needs no certificate: %s', (url) => {
    expect(findTlsProblem(url)).toBeNull();
    expect(driven(url)).toMatchObject({ ssl: false, database: 'name' });
  });

  test('has its certificate checked where the address asks for it', () => {
    expect(driven('postgres://u:p@localhost/name?sslmode=verify-full').ssl).toEqual(checked);
    expect(driven('postgres://u:p@localhost/name?sslmode=no-verify').ssl).toMatchObject({
      rejectUnauthorized: false,
    });
  });
});

test('other parts of the address are not changed', () => {
  const url =
    'postgres://a%40b:p%2F%20w@db.trust.example:5433/name?options=-c%20search_path%3Dx&sslmode=verify-full';
  expect(driven(url)).toMatchObject({
    host: 'db.trust.example',
    user: 'a@b',
    password: 'p/ w',
    database: 'name',
    options: '-c search_path=x',
  });
});
